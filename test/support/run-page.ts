import { type Block, blocksOf } from "./markdown-blocks.ts";
import { temporaryPlace } from "./place.ts";
import { runScriptBlock } from "./script-block.ts";
import { runShellBlock } from "./shell-block.ts";

export interface PageReport {
  /** `page:line: what went wrong`, for the first block that failed. */
  readonly failures: readonly string[];
  readonly ran: number;
  readonly notRun: readonly string[];
}

/** Names under which a program would be overlooked: the two that run are `js` and `sh`. */
const otherNames = new Set(["javascript", "mjs", "ts", "typescript", "bash", "shell", "console"]);

/** Runs the ```js and ```sh blocks of a page in order, all in one temporary folder. */
export async function runPage(page: string, markdown: string): Promise<PageReport> {
  const failures: string[] = [];
  const notRun: string[] = [];
  let ran = 0;
  const place = temporaryPlace();
  const attempt = async (block: Block, index: number) => {
    const { language, note, lines } = block;
    if (otherNames.has(language))
      return { offset: -1, message: `a block of ${language} is not run; call it js or sh` };
    if (language !== "js" && language !== "sh") return null;
    if (note !== "") {
      const reason = /^no-run: (.+)$/.exec(note)?.[1];
      if (language !== "sh" || !reason)
        return {
          offset: -1,
          message: `“${note}”: only “sh no-run: reason” keeps a block from running`,
        };
      notRun.push(reason);
      return null;
    }
    ran++;
    return language === "sh"
      ? runShellBlock(lines, place)
      : runScriptBlock(lines, place, `block-${index + 1}`);
  };
  try {
    for (const [index, block] of blocksOf(page, markdown).entries()) {
      const failure = await attempt(block, index);
      if (!failure) continue;
      failures.push(`${page}:${block.line + failure.offset}: ${failure.message}`);
      break;
    }
  } finally {
    place.remove();
  }
  return { failures, ran, notRun };
}
