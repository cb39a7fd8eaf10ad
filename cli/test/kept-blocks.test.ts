import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blockFolder } from "../src/commands/stream/kept-blocks.ts";
import { temporaryFolder } from "./support/run.ts";

const folder = temporaryFolder();

test("a kept block is given back to the bit, and not at all once its file has changed", async () => {
  const kept = await blockFolder(join(folder, "out"), "sha256:abc", false);
  const block = Float64Array.of(1, -0, Number.NaN, 1e-300);
  await kept.put("columns-0-4", block);
  expect(await kept.get("columns-0-4")).toEqual(block);
  expect(await kept.get("columns-4-8")).toBeNull();
  expect(await kept.count()).toBe(1);
  const place = join(folder, ".out.ratewise-blocks", "sha256-abc", "columns-0-4");
  const whole = readFileSync(place);
  for (const at of [0, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at] ^= 1;
    writeFileSync(place, damaged);
    expect(await kept.get("columns-0-4")).toBeNull();
  }
  writeFileSync(place, whole);
  truncateSync(place, whole.length - 8);
  expect(await kept.get("columns-0-4")).toBeNull();
  await kept.discard();
  expect(readdirSync(folder)).toEqual([]);
});

test("blocks of an earlier run go without --resume, which is said", async () => {
  const said: string[] = [];
  const open = (resume: boolean) =>
    blockFolder(join(folder, "again"), "abc", resume, (line) => void said.push(line));
  await (await open(false)).put("columns-0-4", Float64Array.of(1));
  expect((await open(true)).count()).toBe(1);
  expect(said).toEqual([]);
  const kept = await open(false);
  expect([kept.count(), said]).toEqual([
    0,
    [expect.stringContaining("deleted what an earlier run had finished; --resume")],
  ]);
  await kept.discard();
});
