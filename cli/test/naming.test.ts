import { RatewiseError } from "@ratewise/core";
import { expect, test } from "vitest";
import { naming } from "../src/options/table-command.ts";

const failing = (error: RatewiseError): Promise<string> =>
  naming("t.csv", () => Promise.reject(error)).catch(({ message }: Error) => message);

test("an error of the data names the file", async () => {
  expect(
    await failing(new RatewiseError("domain", { in: "explain", what: "needs two rows, got 1" })),
  ).toBe("t.csv: needs two rows, got 1");
});

test("an error of a worker, an engine or a store does not: the file is not to blame", async () => {
  for (const error of [
    new RatewiseError("worker", { at: "slurm", what: "sbatch failed: invalid partition" }),
    new RatewiseError("engine", { what: "needs a worker with the engine" }),
    new RatewiseError("file", { at: "store", what: "/shared cannot be written", store: "/shared" }),
  ])
    expect(await failing(error)).toBe(error.message);
});
