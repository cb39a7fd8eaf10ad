import { type Engine, engine, engineNames, useEngine, useThreads, version } from "@ratewise/core";
import type { FloatArray } from "@ratewise/core/compute";
import { registerNative } from "@ratewise/native";
import type { Command } from "../command.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { parseCommandLine, usageError } from "../options/options.ts";
import { pad } from "../output/printable.ts";

const help = `usage: ratewise engines [options]

Shows which linear algebra engines this machine has and measures the speed of each: products of two
512 × 512 matrices on one thread, in billions of operations per second.

  plain     our own kernels (WebAssembly SIMD); the same bytes on every machine and in every browser
  relaxed   the same with fused multiply-add; rounding may differ between machines
  native    the system's OpenBLAS, if it is installed; networks are never trained on it

options:
${optionsHelp("engines")}
examples:
  ratewise engines
  ratewise engines --json
`;

const SIZE = 512;
/** For one engine and precision: three of these take about two seconds in all. */
const BUDGET_MS = 300;

interface EngineRow {
  readonly name: string;
  readonly available: boolean;
  readonly default: boolean;
  readonly gflopsF32: number | null;
  readonly gflopsF64: number | null;
  /** Alike for all, so that they can be compared. */
  readonly threads: number;
  readonly note: string;
}

export const engines: Command = {
  name: "engines",
  summary: "show the linear algebra engines of this machine, and their speed",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("engines", argv);
    if (positionals.length > 0)
      throw usageError("engines", `needs no file, got "${positionals[0]}"`);
    const best = engine().name;
    const { blas, diagnostics } = await registerNative();
    const threads = await useThreads(1);
    blas?.setThreads(threads);
    const rows = ["plain", "relaxed", "native"].map((name): EngineRow => {
      const available = engineNames().includes(name);
      const measured = available ? useEngine(name) : null;
      return {
        name,
        available,
        default: name === best,
        gflopsF32: measured && speed(measured, (n) => new Float32Array(n)),
        gflopsF64: measured && speed(measured, (n) => new Float64Array(n)),
        threads,
        note:
          name === "native" ? (diagnostics[0]?.message ?? blas?.config ?? "no OpenBLAS found") : "",
      };
    });
    useEngine(best);
    if (values.json)
      return io.out(`${JSON.stringify({ kind: "engines", engines: rows, version })}\n`);
    const number = (value: number | null): string => (value === null ? "–" : value.toFixed(0));
    const lines = rows.map(
      (row) =>
        `${pad(row.name, 8)}  ${number(row.gflopsF32).padStart(6)}  ${number(row.gflopsF64).padStart(6)}  ${row.default ? "default  " : ""}${row.note}`,
    );
    await io.out(
      `${["engine       f32     f64  (GFLOP/s, one thread each)", ...lines].map((line) => line.trimEnd()).join("\n")}\n`,
    );
  },
};

/** Billions of operations a second of a square product. */
function speed(measured: Engine, make: (length: number) => FloatArray): number {
  const [A, B, C] = [make(SIZE * SIZE).fill(1), make(SIZE * SIZE).fill(1), make(SIZE * SIZE)];
  const multiply = () =>
    measured.gemm(false, false, SIZE, SIZE, SIZE, 1, A, SIZE, B, SIZE, 0, C, SIZE);
  multiply();
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < BUDGET_MS) {
    multiply();
    count++;
  }
  return (2 * SIZE ** 3 * count) / (performance.now() - start) / 1e6;
}
