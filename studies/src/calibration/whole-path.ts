import {
  explain,
  fold,
  keyFromSeed,
  type Matrix,
  type Model,
  predictTable,
  simulate,
  type Table,
  table,
} from "@ratewise/core";
import { outputLayer } from "@ratewise/core/network";
import { simulateMoreRows } from "@ratewise/core/simulate";
import { type CoverageRow, coverage } from "./coverage.ts";

const ROWS = 1000;
const FRESH = 2000;
const VARIABLES = 20;

/** A table of the paper's generator (20 variables, 6 of them causal) explained by every posterior of the command. */
export async function wholePath(seed: number): Promise<CoverageRow[]> {
  const key = fold(keyFromSeed(seed), "calibration", "path");
  const shape = { variables: VARIABLES, causalSetSize: 2 };
  const { X, y, truth } = simulate({ key: fold(key, "data"), rows: ROWS, ...shape });
  const fresh = simulateMoreRows(truth, FRESH, fold(key, "fresh"));
  // The same rows without their noise.
  const f = simulateMoreRows({ ...truth, noiseSd: 0 }, FRESH, fold(key, "fresh")).y;
  const source = asTable(X, y);
  const asked = asTable(fresh.X, fresh.y);
  const runs = [
    ...(["variational", "laplace", "swag"] as const).flatMap((posterior) =>
      [1, 5].map((ensemble) => ({
        name: `${posterior}, ${ensemble === 1 ? "one network" : "5 networks"}`,
        options: { posterior, ensemble },
      })),
    ),
    { name: "Gaussian process, rbf", options: { model: "gp" as const } },
  ];
  const rows: CoverageRow[] = [];
  for (const { name, options } of runs) {
    const { model } = await explain(source, {
      ...options,
      target: "y",
      seed,
      testFraction: 0.05,
      workers: 0,
    });
    const { mean, sd } = predictTable(model, asked);
    const withNoise = sd!.map((value) => value ** 2);
    const noise = noiseOf(model);
    const without = withNoise.map((value) => Math.max(0, value - noise));
    const row = { setting: "paper's simulation", posterior: name, seed } as const;
    rows.push(
      { ...row, of: "f", coverage: coverage(mean!, without, f) },
      { ...row, of: "response", coverage: coverage(mean!, withNoise, fresh.y) },
    );
  }
  return rows;
}

/** τ², as the predictions add it. */
function noiseOf({ networks, process }: Model): number {
  if (process) return process.noiseVariance;
  return networks.reduce(
    (sum, network) => sum + outputLayer(network).noiseVariance! / networks.length,
    0,
  );
}

function asTable({ data, rows, cols }: Matrix, y: Float64Array): Table {
  const columns = Array.from({ length: cols }, (_, j) => ({
    kind: "number" as const,
    name: `x${j + 1}`,
    values: Float64Array.from({ length: rows }, (_, i) => data[i * cols + j]),
  }));
  return table([...columns, { kind: "number", name: "y", values: y }]);
}
