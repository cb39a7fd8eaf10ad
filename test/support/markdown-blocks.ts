/** A fenced block of a page: what stands after the opening fence, its lines, where it begins. */
export interface Block {
  readonly language: string;
  /** The rest of the fence's first line. */
  readonly note: string;
  readonly lines: readonly string[];
  /** Number of the first line inside the block. */
  readonly line: number;
}

/** Every fenced block of a Markdown page, in order. */
export function blocksOf(page: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: {
    fence: string;
    language: string;
    note: string;
    lines: string[];
    line: number;
  } | null = null;
  for (const [index, text] of markdown.split("\n").entries()) {
    const fence = /^\s*(`{3,})(.*)$/.exec(text);
    if (open && fence && fence[1]!.length >= open.fence.length && fence[2]!.trim() === "") {
      blocks.push(open);
      open = null;
    } else if (open) {
      open.lines.push(text);
    } else if (fence) {
      const [, language, note] = /^(\S*)\s*(.*)$/.exec(fence[2]!.trim())!;
      open = { fence: fence[1]!, language: language!, note: note!, lines: [], line: index + 2 };
    }
  }
  if (open) throw new Error(`${page}:${open.line - 1}: the block is not closed`);
  return blocks;
}
