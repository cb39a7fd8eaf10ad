import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NpyArray } from "@ratewise/core/data";
import { writeNpz } from "@ratewise/files";
import { expect } from "vitest";
import { gaussian, rows } from "./posterior.ts";
import { run } from "./run.ts";

/** What is wrong, the files to write, the command line with the names of those files, the message. */
export type Refusal = [string, Record<string, string | Uint8Array>, string[], string | RegExp];

/**
 * `ratewise rank` ends with exit code 1, prints nothing, says what is wrong and where in one line without a
 * stack trace, and leaves no file. Beside the files given there is a folder called `folder`.
 */
export async function refuses(...[, files, argv, message]: Refusal): Promise<void> {
  const here = mkdtempSync(join(tmpdir(), "ratewise-"));
  try {
    mkdirSync(join(here, "folder"));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(here, name), content);
    const before = readdirSync(here);
    const known = new Set([...before, "a.json/b.json"]);
    const inHere = (word: string) =>
      known.has(word) || word.startsWith("nowhere.") ? join(here, word) : word;
    const target = join(here, "result.json");
    const { code, out, err } = await run(["rank", ...argv.map(inHere), "--json", "--out", target]);
    const said = err.replaceAll(`${here}/`, "");
    if (typeof message === "string") expect(said).toContain(message);
    else expect(said).toMatch(message);
    expect(said).toMatch(/^ratewise: .+\n$/);
    expect(said).not.toMatch(/\n\s+at |itself/);
    expect([code, out]).toEqual([1, ""]);
    expect(readdirSync(here)).toEqual(before);
  } finally {
    rmSync(here, { recursive: true });
  }
}

/** A posterior of four variables that can be ranked, to be spoiled one field at a time. */
export const p = 4;
export const { mean, factor, noise } = gaussian(p, 2);
export const good = { mean: [...mean], factor: rows(factor.data, 2), noise: [...noise] };

/** It as JSON, with some fields changed. */
export const json = (changes: object = {}): string => JSON.stringify({ ...good, ...changes });

/** It as an .npz, with some fields changed. */
export const arrays = (changes: Record<string, NpyArray> = {}): Uint8Array =>
  writeNpz(
    Object.entries({
      mean: { shape: [p], data: mean },
      factor: { shape: [p, 2], data: factor.data },
      noise: { shape: [p], data: noise },
      ...changes,
    }),
  );
