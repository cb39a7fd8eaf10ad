import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { run, temporaryFolder } from "./support/run.ts";
import { writePlink, writeTableFiles } from "./support/table-files.ts";

describe("any bytes at all are read, or refused in one line that names the file", () => {
  const here = temporaryFolder();
  const survives = async (name: string, bytes: Uint8Array): Promise<void> => {
    writeFileSync(join(here, name), bytes);
    const { code, out, err } = await run(["inspect", join(here, name), "--json"]);
    expect(err).not.toContain("itself");
    if (code === 0) expect(JSON.parse(out).kind).toBe("inspect");
    else {
      expect([code, out]).toEqual([1, ""]);
      expect(err.trimEnd().split("\n").at(-1)).toMatch(/^ratewise: .*\/f[.-]/);
    }
  };
  const files = writeTableFiles(here);
  const bed = writePlink(here, "f", [
    [0, 1, 2, Number.NaN],
    [1, 1, 0, 2],
  ]);
  const starts: [string, Uint8Array][] = (
    [
      ["f.csv", files.csv],
      ["f.parquet", files.parquet],
      ["f.npy", files.npy],
      ["f.npz", files.npz],
      ["f.libsvm", files.libsvm],
      ["f-idx3-ubyte", files.idx],
      ["f.bed", [bed]],
    ] as const
  ).map(([name, [path]]) => [
    name,
    new Uint8Array(readFileSync(path)).subarray(
      0,
      name === "f.csv" || name === "f.libsvm" ? 600 : undefined,
    ),
  ]);
  starts.push(
    ["f.csv.gz", new Uint8Array(gzipSync(starts[0][1]))],
    ["f.fam", new Uint8Array(readFileSync(join(here, "f.fam")))],
  );

  test.each(starts)("%s", async (name, start) => {
    const change = fc.record({
      at: fc.oneof(
        fc.nat(start.length),
        fc.nat(Math.min(80, start.length)),
        fc.nat(300).map((k) => Math.max(0, start.length - k)),
      ),
      remove: fc.nat(4),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 3 }),
        fc.constantFrom(...'",;\n\r%\t '.split("")).map((c) => new TextEncoder().encode(c)),
      ),
    });
    const whole = Buffer.from(start);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (list) => {
        let bytes = new Uint8Array(whole);
        for (const { at, remove, insert } of list)
          bytes = new Uint8Array(
            Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]),
          );
        if (name !== "f.fam") return survives(name, bytes);
        writeFileSync(join(here, "f.fam"), bytes);
        return survives("f.bed", new Uint8Array(readFileSync(bed)));
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});
