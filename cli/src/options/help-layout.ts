import { displayWidth, pad, wrap } from "../output/printable.ts";

/** Help is set to this width, whatever the terminal. */
export const HELP_WIDTH = 80;
/** A name longer than this has its text on the next line, so that the others keep room. */
const LONGEST_TERM = 24;
/** `  --option <value>  text`, or `  command  text`. */
const ENTRY = /^ {2}(\S+(?: \S+)*?) {2,}(\S.*)$/;

/**
 * Sets a help text: paragraphs are filled, the lists under `options:` and `commands:` aligned, examples broken with a
 * backslash as a shell takes it. The texts can then be written as they read best in the source.
 */
export function layoutHelp(text: string): string {
  const blocks = text.trimEnd().split(/\n(?=\S[^\n]*:\n)|\n\n/);
  return `${blocks
    .map(layoutBlock)
    .join("\n\n")
    .replace(/\n{3,}/g, "\n\n")}\n`;
}

function layoutBlock(block: string): string {
  const lines = block.split("\n").filter((line, i, all) => line !== "" || i < all.length - 1);
  const [first, ...rest] = lines;
  if (/^usage:/.test(block)) return lines.map((line) => breakCommand(line, 9)).join("\n");
  if (/^examples?:$/.test(first))
    return [first, ...rest.map((line) => breakCommand(line, 6))].join("\n");
  if (/^(options|commands):$/.test(first)) return [first, ...list(rest)].join("\n");
  if (lines.every((line) => ENTRY.test(line))) return list(lines).join("\n");
  return wrap(lines.join(" "), HELP_WIDTH);
}

/** Terms in one column, their texts in another; lines that begin no entry go on with the one before. */
function list(lines: readonly string[]): string[] {
  const entries: { readonly term: string; text: string }[] = [];
  for (const line of lines) {
    const [, term, text] = ENTRY.exec(line) ?? [];
    if (term !== undefined) entries.push({ term, text });
    else if (entries.length > 0) entries.at(-1)!.text += ` ${line.trim()}`;
  }
  const fitting = entries.map(({ term }) => displayWidth(term)).filter((w) => w <= LONGEST_TERM);
  const width = Math.max(8, ...fitting);
  const margin = " ".repeat(width + 4);
  return entries.map(({ term, text }) => {
    const body = wrap(text, HELP_WIDTH - width - 4).replaceAll("\n", `\n${margin}`);
    const own = displayWidth(term) <= width;
    return own ? `  ${pad(term, width)}  ${body}` : `  ${term}\n${margin}${body}`;
  });
}

/** A command line that is too long goes on after a backslash, before an option. */
function breakCommand(line: string, indent: number): string {
  const parts = line.split(/ (?=\[?--)/);
  const out: string[] = [];
  let current = parts[0];
  for (const part of parts.slice(1)) {
    if (displayWidth(`${current} ${part} \\`) <= HELP_WIDTH) current += ` ${part}`;
    else {
      out.push(`${current} \\`);
      current = `${" ".repeat(indent)}${part}`;
    }
  }
  return [...out, current].join("\n");
}
