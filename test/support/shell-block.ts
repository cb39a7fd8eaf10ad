import { matchesShown } from "./output-match.ts";
import { type Place, run } from "./place.ts";

interface Step {
  readonly command: string;
  readonly shown: string;
  readonly offset: number;
}

/** With `$` before each command, what follows a command is what it prints; without, all is one script. */
function steps(lines: readonly string[]): Step[] {
  if (!lines[0]?.startsWith("$ ")) return [{ command: lines.join("\n"), shown: "", offset: 0 }];
  const found: { command: string; shown: string; offset: number }[] = [];
  for (const [offset, line] of lines.entries()) {
    const last = found.at(-1);
    if (line.startsWith("$ ")) found.push({ command: line.slice(2), shown: "", offset });
    else if (last && last.shown === "" && last.command.endsWith("\\")) last.command += `\n${line}`;
    else if (last) last.shown += `${line}\n`;
  }
  return found;
}

/** Lines of progress, which a busy machine has time for and an idle one has not. */
const PROGRESS = /^.* \d+% · \d+:\d\d elapsed.*\n/gm;

/** Runs a ```sh block. @returns what went wrong, with the line in the block, or null. */
export async function runShellBlock(lines: readonly string[], place: Place) {
  for (const { command, shown, offset } of steps(lines)) {
    const { code, output } = await run("bash", ["-euo", "pipefail", "-c", command], place);
    if (code !== 0)
      return { offset, message: `${command}\nends with exit code ${code}:\n${output}` };
    const printed = output.replace(PROGRESS, "");
    if (shown.trim() !== "" && !matchesShown(shown, printed))
      return { offset, message: `${command}\nprints\n${printed}\nthe page shows\n${shown}` };
  }
  return null;
}
