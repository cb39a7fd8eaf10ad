import { describe, expect, test } from "vitest";
import { run } from "./support/run.ts";

describe("commands that compute nothing themselves", () => {
  test.each(["worker", "status", "resume", "cancel"])(
    "%s has no seed and no engine",
    async (name) => {
      const { out } = await run([name, "--help"]);
      expect(out).not.toMatch(/--(seed|engine)\b/);
      const { code, err } = await run([name, "--seed", "3"]);
      expect(code).toBe(2);
      expect(err).toContain('there is no option "--seed"');
    },
  );

  test("a port is one, or 0 for any that is free", async () => {
    for (const port of ["70000", "x"]) {
      const { code, err } = await run(["status", "--store", "s", "--serve", port]);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining("needs a whole number from 0 to 65535"),
      ]);
    }
  });
});
