import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arrays, json } from "./support/refusal.ts";
import { run, temporaryFolder } from "./support/run.ts";

const folder = temporaryFolder();

/** Whatever is in the file: it is ranked, or there is one line that says what is wrong. */
async function survives(name: string, bytes: Uint8Array): Promise<void> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const { code, out, err } = await run(["rank", path, "--json"]);
  expect(err).not.toContain("itself");
  if (code === 0) expect(JSON.parse(out).kind).toBe("rank");
  else {
    expect([code, out]).toEqual([1, ""]);
    expect(err.trimEnd().split("\n").at(-1)).toMatch(/^ratewise: .*\.(json|npz): /);
  }
}

const changes = (length: number, pieces: fc.Arbitrary<Uint8Array>) =>
  fc.array(fc.record({ at: fc.nat(length), remove: fc.nat(4), insert: pieces }), {
    minLength: 1,
    maxLength: 4,
  });
const spliced = (
  start: Uint8Array,
  list: readonly { at: number; remove: number; insert: Uint8Array }[],
): Uint8Array => {
  let bytes = [...start];
  for (const { at, remove, insert } of list) bytes = bytes.toSpliced(at, remove, ...insert);
  return Uint8Array.from(bytes);
};

test("posterior.json with bytes changed, cut or added", async () => {
  const start = Buffer.from(json({ names: ["a", "b", "c", "d"], groups: { g: ["a", 1], h: [3] } }));
  const pieces = fc.oneof(
    fc.uint8Array({ maxLength: 3 }),
    fc
      .constantFrom(
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        '"',
        "null",
        "1e999",
        "-",
        "0",
        "\\",
        "é",
        '"x":[],',
      )
      .map((text) => new Uint8Array(Buffer.from(text))),
  );
  await fc.assert(
    fc.asyncProperty(changes(start.length, pieces), (list) =>
      survives("a.json", spliced(start, list)),
    ),
    { seed: 1, numRuns: 400 },
  );
});

test("posterior.npz with bytes overwritten, cut or added", async () => {
  const start = arrays({ names: { shape: [4], data: ["a", "b", "c", "d"] } });
  await fc.assert(
    fc.asyncProperty(changes(start.length, fc.uint8Array({ maxLength: 4 })), (list) =>
      survives("a.npz", spliced(start, list)),
    ),
    { seed: 1, numRuns: 300 },
  );
  const overwrites = fc.array(fc.tuple(fc.nat(start.length - 1), fc.nat(255)), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(overwrites, (list) => {
      const bytes = start.slice();
      for (const [at, value] of list) bytes[at] = value;
      return survives("a.npz", bytes);
    }),
    { seed: 2, numRuns: 300 },
  );
});

test("random bytes under either name", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 100 }),
      fc.constantFrom("a.json", "a.npz"),
      (bytes, name) => survives(name, bytes),
    ),
    { seed: 3, numRuns: 200 },
  );
});
