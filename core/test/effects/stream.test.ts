import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { expectClose } from "../support/close.ts";

test("a table of 4 GB streams through an accumulator in under 600 MB", { timeout: 300_000 }, () => {
  const built = fileURLToPath(new URL("../../dist/index.js", import.meta.url));
  expect(existsSync(built), `${built} is missing; run npm run build first`).toBe(true);
  const program = fileURLToPath(new URL("stream-four-gigabytes.mjs", import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  const { bytes, peakBytes, covariances, exact } = JSON.parse(stdout);
  expect(bytes).toBe(4e9);
  expect(peakBytes).toBeGreaterThan(20e6);
  expect(peakBytes).toBeLessThan(600e6);
  // Covariances of size 5,000 at most: what is small among them is a difference of large sums.
  expectClose(covariances, exact, { rtol: 0, atol: 1e-12 * Math.max(...exact) });
});
