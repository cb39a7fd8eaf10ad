/** Whether printed text is what a page shows: line by line, trailing space apart, `…` for any text. */
export function matchesShown(shown: string, printed: string): boolean {
  const pattern = clean(shown)
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[\\s\\S]*");
  return new RegExp(`^${pattern}$`).test(clean(printed));
}

const clean = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
