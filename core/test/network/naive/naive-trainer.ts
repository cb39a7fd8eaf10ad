import { adamState, adamStepInPlace } from "../../../src/network/adam.ts";
import { meanOutput } from "../../../src/network/output.ts";
import type { Trainer, TrainerSetup } from "../../../src/network/trainer.ts";
import { averageMomentsInPlace } from "./batch-normalisation.ts";
import { lossAndGradient } from "./loss-and-gradient.ts";
import { shrinkInPlace } from "./shrink.ts";
import { stageForward } from "./stages.ts";

/** Training as written in the formulas, in double precision: slow, and what the kernel is tested against. */
export function naiveTrainer(setup: TrainerSetup): Trainer {
  const { layout, X, y, batchSize, learningRate, clipNorm, groups, key } = setup;
  const p = layout.inputs;
  let theta = new Float64Array(layout.size);
  let average = new Float64Array(layout.size);
  let adam = adamState(layout.size);
  let penalty = 0;
  let options = setup;
  let step = 0;

  function gather(rows: Uint32Array) {
    const data = new Float64Array(rows.length * p);
    rows.forEach((row, i) => {
      data.set(X.subarray(row * p, (row + 1) * p), i * p);
    });
    const { outputs } = layout;
    const known = setup.offsets ?? new Float64Array(y.length * outputs);
    const offsets = new Float64Array(rows.length * outputs);
    rows.forEach((row, i) => {
      offsets.set(known.subarray(row * outputs, (row + 1) * outputs), i * outputs);
    });
    const weights = Float64Array.from(rows, (row) => setup.weights?.[row] ?? 1);
    const own = Float64Array.from(rows, (row) => y[row]);
    return { X: data, y: own, offsets, weights, rows: rows.length };
  }

  return {
    load(parameters, newPenalty, totalRows = setup.totalRows) {
      theta = Float64Array.from(parameters);
      adam = adamState(layout.size);
      penalty = newPenalty;
      options = { ...setup, totalRows };
    },
    train(order) {
      let sum = 0;
      for (let start = 0; start < order.length; start += batchSize) {
        const batch = gather(order.subarray(start, start + batchSize));
        const noise = { key, step };
        const { loss, gradient, traces } = lossAndGradient(layout, theta, batch, options, noise);
        layout.stages.forEach((stage, at) => {
          if (stage.kind === "batch-normalisation")
            averageMomentsInPlace(theta, stage, traces[at].batch!);
        });
        adamStepInPlace(theta, gradient, adam, { learningRate, clipNorm });
        shrinkInPlace(theta, groups, learningRate * penalty);
        step++;
        sum += loss * batch.rows;
      }
      return sum;
    },
    predict(rows) {
      const { X: inputs, offsets } = gather(rows);
      let H: Float64Array = inputs;
      layout.stages.forEach((stage, at) => {
        H = stageForward(stage, at, theta, H, rows.length, null).output;
      });
      return meanOutput(layout, theta, H, rows.length).map((f, e) => f + offsets[e]);
    },
    blend(weight) {
      theta.forEach((value, k) => {
        average[k] += weight * (value - average[k]);
      });
    },
    exchange() {
      [theta, average] = [average, theta];
    },
    parameters: () => theta.slice(),
    dispose() {},
  };
}
