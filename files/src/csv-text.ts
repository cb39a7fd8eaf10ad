/** What makes a spreadsheet take a text for a formula when it comes first; wide forms included. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A text as one CSV cell that no spreadsheet runs: where it begins with `=`, `+`, `-`, `@`, a tab or a
 * line end (or with apostrophes before one of them), one apostrophe goes before it, which a
 * spreadsheet takes as "this is text". {@link textOfCsvCell} takes it away again. Quoted as RFC 4180 says.
 */
export function csvCellOfText(text: string): string {
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n']|^\s|\s$|^$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** The text that {@link csvCellOfText} was given, from the cell without its quotes. */
export function textOfCsvCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
