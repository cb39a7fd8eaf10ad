import { Arena } from "../compute/arena.ts";
import { engine } from "../compute/engine.ts";
import type { FloatArray } from "../compute/index.ts";
import { relaxedSimdRuns } from "../compute/kernel-build.ts";
import type { KernelCall } from "../compute/kernel-names.ts";
import { loadKernels } from "../compute/kernels.ts";
import { patchSize } from "./image.ts";
import type { Layout } from "./layout.ts";
import { restartProgram, writeProgram } from "./program.ts";
import type { Trainer, TrainerSetup } from "./trainer.ts";

/** Layers of at most this many weights are not shared among threads: the kernel does not pack them. */
const DIRECT_ENTRIES = 1 << 14;

/**
 * Training inside the kernels, in single precision, and the same bytes for any number of threads. Native BLAS never trains: under any other
 * engine the best build of our own kernels does.
 */
export function kernelTrainer(setup: TrainerSetup): Trainer {
  const build = engine().name === "plain" || !relaxedSimdRuns() ? "plain" : "relaxed";
  const kernels = loadKernels(build);
  const { memory } = kernels;
  const arena = new Arena(memory);
  const { layout, offsets } = setup;
  const program = writeProgram(
    setup,
    () => memory.buffer,
    (bytes) => arena.room(bytes),
  );
  const view = (at: number, length: number) => new Float32Array(memory.buffer, at, length);
  const work = sharedWork(layout);
  let average = new Float32Array(0);

  /** Runs `use` with the row numbers in kernel memory. */
  function withRows<Result>(rows: Uint32Array, use: (at: number) => Result): Result {
    const at = memory.allocate(rows.byteLength);
    try {
      new Uint32Array(memory.buffer, at, rows.length).set(rows);
      return use(at);
    } finally {
      memory.release(at);
    }
  }

  return {
    load(parameters, penalty, totalRows = setup.totalRows) {
      view(program.theta, layout.size).set(parameters);
      for (const at of [program.first, program.second]) view(at, layout.size).fill(0);
      restartProgram(memory.buffer, program, { penalty, totalRows });
    },
    train: (order) =>
      withRows(order, (at) => {
        const parts = work > 0 ? kernels.threadsFor(work * order.length) : 1;
        kernels.run(
          Array.from(
            { length: parts },
            (_, part): KernelCall => [
              ...(["trainBatches", program.address, at, order.length] as const),
              ...([part, parts, kernels.scratch(part), part > 0 || maySleep() ? 1 : 0] as const),
            ],
          ),
        );
        return new Float64Array(memory.buffer, program.lossSum, 1)[0];
      }),
    predict: (rows) =>
      withRows(rows, (at) => {
        const out = memory.allocate(rows.length * layout.outputs * 4);
        kernels.exports.predictRows(program.address, at, rows.length, out, kernels.scratch(0));
        const f = view(out, rows.length * layout.outputs).slice();
        memory.release(out);
        if (offsets) addRows(f, offsets, rows, layout.outputs);
        return f;
      }),
    blend(weight) {
      const theta = view(program.theta, layout.size);
      if (average.length === 0) average = new Float32Array(layout.size);
      for (let k = 0; k < theta.length; k++) average[k] += weight * (theta[k] - average[k]);
    },
    exchange() {
      const theta = view(program.theta, layout.size);
      const kept = theta.slice();
      theta.set(average);
      average = kept;
    },
    parameters: () => Float32Array.from(view(program.theta, layout.size)),
    dispose: () => arena.free(),
  };
}

/** f ← f + the given rows of `offsets`. */
function addRows(f: Float32Array, offsets: FloatArray, rows: Uint32Array, outputs: number): void {
  for (let i = 0; i < rows.length; i++)
    for (let c = 0; c < outputs; c++) f[i * outputs + c] += offsets[rows[i] * outputs + c];
}

/** Whether this thread may wait in Atomics.wait: the main thread of a page may not. */
function maySleep(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1);
    return true;
  } catch {
    return false;
  }
}

/** Multiply-adds a row, forward and backward, of the layers that threads share. */
function sharedWork({ stages }: Layout): number {
  let sum = 0;
  for (const stage of stages) {
    if (stage.kind === "dense" && stage.inputs * stage.units > DIRECT_ENTRIES)
      sum += 3 * stage.inputs * stage.units;
    if (stage.kind === "convolution") sum += 3 * stage.units * patchSize(stage.window);
  }
  return sum;
}
