import { expect, test } from "vitest";
import { run } from "./support/run.ts";

test("engines are listed with a measured speed; what is not there is said to be missing", async () => {
  const { code, out } = await run(["engines", "--json"]);
  expect(code).toBe(0);
  const { kind, engines } = JSON.parse(out);
  expect(kind).toBe("engines");
  expect(engines.map((row: { name: string }) => row.name)).toEqual(["plain", "relaxed", "native"]);
  for (const { available, gflopsF32, gflopsF64, threads, note } of engines) {
    expect(threads).toBe(1);
    if (available) expect(Math.min(gflopsF32, gflopsF64)).toBeGreaterThan(0);
    else expect([gflopsF32, gflopsF64, note]).toEqual([null, null, expect.any(String)]);
  }
  expect(engines[0].available).toBe(true);
  expect(engines.filter((row: { default: boolean }) => row.default).length).toBe(1);
});

test("the table for people has a line an engine", async () => {
  const { out } = await run(["engines"]);
  expect(out).toMatch(/^engine +f32 +f64/);
  expect(out).toMatch(/^plain +\d+ +\d+/m);
});
