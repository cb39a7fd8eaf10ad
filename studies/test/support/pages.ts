const BEGIN =
  "<!-- numbers of the record, written by a test; the text around them is written by hand -->";
const END = "<!-- end of the record's numbers -->";

/** The page with these numbers between its two marks. */
export function withNumbers(page: string, numbers: string): string {
  const [before, rest, ...more] = page.split(BEGIN);
  const [, after, ...others] = (rest ?? "").split(END);
  if (after === undefined || more.length + others.length > 0)
    throw new Error(`a page needs one "${BEGIN}" and one "${END}"`);
  return `${before}${BEGIN}\n\n${numbers}\n\n${END}${after}`;
}
