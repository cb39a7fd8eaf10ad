import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { run } from "./support/run.ts";

const at = (name: string): string =>
  fileURLToPath(new URL(`written-by-0.1/${name}`, import.meta.url));

test("a model that version 0.1 wrote predicts what it predicted then, to the bit", async () => {
  const { code, out } = await run([
    ...["predict", at("people.csv"), "--model", at("model.ratewise")],
  ]);
  expect(code).toBe(0);
  expect(out).toBe(readFileSync(at("predictions.csv"), "utf8"));
});
