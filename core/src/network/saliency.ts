import { engine, type FloatArray } from "../compute/index.ts";
import { type Matrix, matrix } from "../linalg/matrix.ts";
import type { Rows } from "../linalg/rows.ts";
import { drive, type Progress } from "../run.ts";
import { inputSlopes } from "./backward.ts";
import { layerValues } from "./forward.ts";
import { meanOutput } from "./output.ts";
import { zerosLike } from "./precision.ts";
import { inputRelevance, stabilised } from "./relevance.ts";
import {
  type Member,
  type NetworkParameters,
  type Plan,
  planSaliency,
  rowsIn,
  type SaliencyOptions,
} from "./saliency-plan.ts";
import { likeliestClasses, type TargetSlopes, targetSlopes } from "./saliency-target.ts";

/**
 * How much each input of each row has to do with the output at that row, n×p:
 *
 *     gradient               ∂f/∂x_j
 *     gradient × input       x_j·∂f/∂x_j
 *     integrated gradients   (x_j − x⁰_j)·∫₀¹ ∂f/∂x_j(x⁰ + t(x − x⁰)) dt, by midpoints (Sundararajan and others 2017)
 *     lrp                    relevance by the ε rule, see {@link inputRelevance}
 *
 * of f at the posterior mean, or of a class's probability at that mean (for LRP the probability is what is
 * handed down in place of the logit). The `networks` of an ensemble are averaged. O(weights) per row, times
 * `steps` for integrated gradients.
 */
export async function saliency(
  networks: readonly NetworkParameters[],
  X: Rows,
  options: SaliencyOptions,
): Promise<Matrix> {
  const workspace = engine().workspace?.() ?? null;
  try {
    const plan = planSaliency(networks, X, options, workspace);
    return await drive(saliencySteps(plan, X), options);
  } finally {
    workspace?.free();
  }
}

function* saliencySteps(plan: Plan, X: Rows): Generator<Progress, Matrix> {
  const { members, block, steps } = plan;
  const out = matrix(X.rows, X.cols);
  const total = Math.ceil(X.rows / block) * members.length * steps;
  let done = 0;
  for (let start = 0; start < X.rows; start += block) {
    const rows = Math.min(block, X.rows - start);
    const x = rowsIn(plan.precision, X, start, rows);
    const classes =
      plan.class === null
        ? likeliestClasses(members, x, rows)
        : new Uint32Array(rows).fill(plan.class);
    for (const member of members)
      for (let step = 0; step < steps; step++) {
        const values = blockSaliency({ plan, member, x, rows, classes }, (step + 0.5) / steps);
        for (let e = 0; e < values.length; e++)
          out.data[start * X.cols + e] += values[e] / (members.length * steps);
        yield { phase: "saliency", done: ++done, total };
      }
  }
  return out;
}

interface Part {
  readonly plan: Plan;
  readonly member: Member;
  readonly x: FloatArray;
  readonly rows: number;
  readonly classes: Uint32Array;
}

/** One member on one block of rows; `along` is the place on the way of integrated gradients. */
function blockSaliency({ plan, member, x, rows, classes }: Part, along: number): FloatArray {
  const { method, baseline, of, epsilon } = plan;
  const { layout, theta } = member;
  const p = layout.inputs;
  const integrated = method === "integrated-gradients";
  const at = integrated ? between(baseline, x, along) : x;
  const values = layerValues<FloatArray>(layout, theta, at, rows);
  const H = values[values.length - 1].output;
  const f = meanOutput(layout, theta, H, rows);
  const target = targetSlopes(layout, f, classes, of);
  if (method === "lrp")
    return inputRelevance<FloatArray>(
      layout,
      theta,
      values,
      hiddenRelevance(member, H, f, target.value, classes, epsilon),
      rows,
      epsilon,
    );
  const slopes = hiddenSlopes(member, zerosLike(H, H.length), target, rows);
  const gradient = inputSlopes<FloatArray>(layout, theta, values, slopes, rows);
  if (method === "gradient-x-input") for (let e = 0; e < gradient.length; e++) gradient[e] *= x[e];
  if (integrated)
    for (let i = 0; i < gradient.length; i += p)
      for (let j = 0; j < p; j++) gradient[i + j] *= x[i + j] - baseline[j];
  return gradient;
}

/** x⁰ + t(x − x⁰) for each row. */
function between(baseline: FloatArray, x: FloatArray, t: number): FloatArray {
  const out = zerosLike(x, x.length);
  const p = baseline.length;
  for (let i = 0; i < x.length; i += p)
    for (let j = 0; j < p; j++) out[i + j] = baseline[j] + t * (x[i + j] - baseline[j]);
  return out;
}

/** ∂target/∂h = Σ_c ∂target/∂f_c·m_c. */
function hiddenSlopes(
  { layout, theta }: Member,
  out: FloatArray,
  { slope }: TargetSlopes,
  rows: number,
): FloatArray {
  const { hidden: l, outputs, mean } = layout;
  for (let i = 0; i < rows; i++)
    for (let c = 0; c < outputs; c++) {
      const s = slope[i * outputs + c];
      if (s === 0) continue;
      for (let k = 0; k < l; k++) out[i * l + k] += s * theta[mean + c * l + k];
    }
  return out;
}

/** The ε rule at the output: what each hidden unit adds to the explained output's f, in place of its value. */
function hiddenRelevance(
  { layout, theta }: Member,
  H: FloatArray,
  f: FloatArray,
  value: Float64Array,
  classes: Uint32Array,
  epsilon: number,
): FloatArray {
  const { hidden: l, outputs, mean } = layout;
  const out = zerosLike(H, H.length);
  for (let i = 0; i < value.length; i++) {
    const c = outputs > 1 ? classes[i] : 0;
    const each = value[i] / stabilised(f[i * outputs + c], epsilon);
    for (let k = 0; k < l; k++) out[i * l + k] = H[i * l + k] * theta[mean + c * l + k] * each;
  }
  return out;
}
