import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { scratchInMemory } from "../../src/host/byte-source.ts";
import { openScratch } from "../../src/host/node.ts";
import { bytesOfBlob } from "../../src/stream/bytes.ts";
import { type ByteSource, bytesInMemory, openFile } from "../../src/stream/index.ts";

const here = mkdtempSync(join(tmpdir(), "ratewise-"));
afterAll(() => rmSync(here, { recursive: true, force: true }));
const content = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7) % 251);
writeFileSync(join(here, "bytes"), content);

const kinds: [string, () => Promise<ByteSource>][] = [
  ["a file", () => openFile(join(here, "bytes"))],
  ["a Blob", async () => bytesOfBlob(new Blob([content]))],
  ["memory", async () => bytesInMemory(content)],
];

describe.each(kinds)("the bytes of %s", (_, open) => {
  test("are read where they are asked for, and not past their end", async () => {
    const source = await open();
    expect(source.size).toBe(1000);
    const into = new Uint8Array(100);
    await source.readInto(into, 450);
    expect([...into]).toEqual([...content.subarray(450, 550)]);
    await expect(source.readInto(into, 930)).rejects.toThrow(
      "needs 100 bytes from byte 930 on, got 70; the file is cut off",
    );
    if ("close" in source) await (source.close as () => Promise<void>)();
  });
});

describe.each([
  ["on a disk", () => openScratch(64, here)],
  ["in memory", async () => scratchInMemory(64)],
])("scratch room %s", (_, open) => {
  test("gives back what was written, and leaves nothing behind", async () => {
    const scratch = await open();
    await scratch.write(Uint8Array.of(1, 2, 3, 4), 10);
    await scratch.write(Uint8Array.of(9, 8), 12);
    const into = new Uint8Array(4);
    await scratch.readInto(into, 10);
    expect([...into]).toEqual([1, 2, 9, 8]);
    await scratch.close();
    expect(readdirSync(here)).toEqual(["bytes"]);
  });
});

test("a file that is not there is an error", async () => {
  await expect(openFile(join(here, "absent"))).rejects.toThrow("ENOENT");
});
