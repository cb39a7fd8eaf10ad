import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "vite";
import { matchesShown } from "./output-match.ts";
import { type Place, run } from "./place.ts";

interface Expectation {
  readonly offset: number;
  /** Index of the console.log that prints it. */
  readonly call: number;
  readonly shown: string;
}

interface Call {
  readonly start: number;
  readonly end: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

const mark = "\u0001";

function logCalls(source: string): Call[] {
  const { program, errors } = parseSync("block.mjs", source);
  if (errors.length > 0) throw new Error(errors[0]!.message);
  const lineOf = (at: number) => source.slice(0, at).split("\n").length - 1;
  const calls: Call[] = [];
  new Visitor({
    CallExpression({ callee, start, end }) {
      if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return;
      if (callee.object.name !== "console" || callee.property.type !== "Identifier") return;
      if (callee.property.name !== "log") return;
      calls.push({
        start: callee.start,
        end: callee.end,
        firstLine: lineOf(start),
        lastLine: lineOf(end),
      });
    },
  }).visit(program);
  return calls.sort((a, b) => a.start - b.start);
}

/**
 * A comment `// → text` belongs to the console.log that ends on its line or, standing alone, to the
 * one that ended last before it; the comment lines right below continue the text.
 */
function expectations(lines: readonly string[], calls: readonly Call[]): Expectation[] {
  const found: Expectation[] = [];
  for (const [offset, line] of lines.entries()) {
    const at = line.indexOf("// → ");
    if (at < 0) continue;
    const call = calls.findLastIndex((c) => c.lastLine <= offset);
    const shown = [line.slice(at + 5)];
    for (let next = offset + 1; /^\s*\/\/ {3}/.test(lines[next] ?? ""); next++)
      shown.push(lines[next]!.replace(/^\s*\/\/ {3}/, ""));
    found.push({ offset, call, shown: shown.join("\n") });
  }
  return found;
}

/** Runs a ```js block as an ES module. @returns what went wrong, with the line in the block, or null. */
export async function runScriptBlock(lines: readonly string[], place: Place, name: string) {
  const source = lines.join("\n");
  let calls: Call[];
  try {
    calls = logCalls(source);
  } catch (error) {
    return { offset: 0, message: `cannot be parsed: ${(error as Error).message}` };
  }
  const expected = expectations(lines, calls);
  const orphan = expected.find(({ call }) => call < 0);
  if (orphan) return { offset: orphan.offset, message: "“// →” follows no console.log" };

  // Each call announces itself, so that its output can be told from that of its neighbours.
  let marked = source;
  for (const [index, { start, end }] of [...calls.entries()].reverse())
    marked = `${marked.slice(0, start)}console.announced(${index})${marked.slice(end)}`;
  const announce = `console.announced = (k) => (console.log("${mark}" + k + "${mark}"), console.log);`;
  const file = join(place.folder, `${name}.mjs`);
  writeFileSync(file, announce + marked);
  const { code, output } = await run(process.execPath, [file], place);
  const [, ...pieces] = output.split(mark);
  const printed = calls.map((_, call) =>
    pieces
      .filter((__, i) => i % 2 === 1 && pieces[i - 1] === String(call))
      .map((text) => text.replace(/^\n/, ""))
      .join(""),
  );
  if (code !== 0)
    return { offset: 0, message: `ends with exit code ${code}:\n${output.replaceAll(mark, "")}` };
  for (const { offset, call, shown } of expected)
    if (!matchesShown(shown, printed[call]!))
      return { offset, message: `prints\n${printed[call]}\nthe page shows\n${shown}` };
  return null;
}
