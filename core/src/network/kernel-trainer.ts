import { Arena } from "../compute/arena.ts";
import { engine } from "../compute/engine.ts";
import { relaxedSimdRuns } from "../compute/kernel-build.ts";
import { loadKernels } from "../compute/kernels.ts";
import { restartProgram, writeProgram } from "./program.ts";
import type { Trainer, TrainerSetup } from "./trainer.ts";

/**
 * Training inside the kernels, in single precision, the same steps as {@link naiveTrainer} up to
 * rounding. Native BLAS never trains: under any other engine the best build of our own kernels does.
 */
export function kernelTrainer(setup: TrainerSetup): Trainer {
  const build = engine().name === "plain" || !relaxedSimdRuns() ? "plain" : "relaxed";
  const kernels = loadKernels(build);
  const { memory } = kernels;
  const arena = new Arena(memory);
  const { layout } = setup;
  const program = writeProgram(
    setup,
    () => memory.buffer,
    (bytes) => arena.room(bytes),
    kernels.scratch(0),
  );
  const view = (at: number, length: number) => new Float32Array(memory.buffer, at, length);

  /** Runs `work` with the row numbers in kernel memory. */
  function withRows<Result>(rows: Uint32Array, work: (at: number) => Result): Result {
    const at = memory.allocate(rows.byteLength);
    try {
      new Uint32Array(memory.buffer, at, rows.length).set(rows);
      return work(at);
    } finally {
      memory.release(at);
    }
  }

  return {
    load(parameters, penalty) {
      view(program.theta, layout.size).set(parameters);
      for (const at of [program.first, program.second]) view(at, layout.size).fill(0);
      restartProgram(memory.buffer, program, penalty);
    },
    train: (order) =>
      withRows(order, (at) => kernels.exports.trainBatches(program.address, at, order.length)),
    predict: (rows) =>
      withRows(rows, (at) => {
        const out = memory.allocate(rows.length * layout.outputs * 4);
        kernels.exports.predictRows(program.address, at, rows.length, out);
        const f = view(out, rows.length * layout.outputs).slice();
        memory.release(out);
        return f;
      }),
    parameters: () => Float32Array.from(view(program.theta, layout.size)),
    dispose: () => arena.free(),
  };
}
