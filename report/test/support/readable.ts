/** A page without its tags and figures, spaces as a reader sees them. */
export const readable = (page: string): string =>
  page
    .replace(/<(style|script|svg|title)\b.*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

/** The box at the top: question → answer. */
export const answersIn = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, asked, answer]) => [
      asked,
      readable(answer),
    ]),
  );
