import { type Matrix, matrix, type Progress, RatewiseError, type RunOptions } from "@ratewise/core";
import * as elementary from "@ratewise/core/elementary";
import { refuseUnknown, refuseUnlisted } from "@ratewise/core/errors";
import {
  linkNames,
  type SaliencyMethod,
  type SaliencyOf,
  saliencyBaselines,
  saliencyMethods,
  saliencyTargets,
} from "@ratewise/core/network";
import { drive } from "@ratewise/core/run";
import { mention, say } from "@ratewise/core/words";
import { blocks, checkRows } from "./activations.ts";
import { backward, evaluate, rowsTogether, targetOf } from "./derivative.ts";
import type { NetworkLink } from "./detect.ts";
import { rowShape } from "./input-layout.ts";
import type { OnnxNetwork } from "./network.ts";
import type { Program } from "./program.ts";
import { relevance } from "./relevance.ts";
import { type Tensor, tensor } from "./tensor.ts";

export interface NetworkSaliencyOptions extends RunOptions {
  readonly method: SaliencyMethod;
  /** Default `logit`. */
  readonly of?: SaliencyOf;
  /** The class that is explained. Default 1 of a logistic, each row's likeliest of a softmax. */
  readonly class?: number;
  /** Where integrated gradients start: zeros (default) or the mean of the rows. */
  readonly baseline?: "zero" | "mean";
  /** Midpoints of integrated gradients. Default 512. */
  readonly steps?: number;
  /** ε of LRP. Default 1e-4. */
  readonly epsilon?: number;
  /** What turns f into the answer; default what the graph shows. */
  readonly link?: NetworkLink;
  readonly rowShape?: readonly number[];
}

const known: Readonly<Record<keyof NetworkSaliencyOptions, true>> = {
  method: true,
  of: true,
  class: true,
  baseline: true,
  steps: true,
  epsilon: true,
  link: true,
  rowShape: true,
  signal: true,
  onProgress: true,
};

/**
 * How much each input of each row has to do with the network's output there, n×p, as `saliency` of @ratewise/core has it
 * for our own networks: gradients, gradients × input, integrated gradients by midpoints, or ε-LRP, in double precision.
 */
export async function networkSaliency(
  network: OnnxNetwork,
  X: Matrix,
  options: NetworkSaliencyOptions,
): Promise<Matrix> {
  checkNames(options);
  const program = requireProgram(network, "saliency");
  const shape = rowShape(network.layout, X.cols, options.rowShape);
  checkRows(X);
  return drive(saliencySteps(network, program, X, shape, options), options);
}

function checkNames(options: NetworkSaliencyOptions): void {
  const where = "networkSaliency";
  refuseUnknown(where, options, known);
  refuseUnlisted(where, "method", saliencyMethods, options.method ?? null);
  refuseUnlisted(where, "of", saliencyTargets, options.of);
  refuseUnlisted(where, "baseline", saliencyBaselines, options.baseline);
  refuseUnlisted(where, "link", linkNames, options.link);
}

/** The imported graph, or an error that names what is not known and what works all the same. */
export function requireProgram({ program, missing }: OnnxNetwork, what: string): Program {
  if (program) return program;
  throw new RatewiseError("domain", {
    what: `${what} needs derivatives, and ${missing.length === 1 ? `the operator ${missing[0]} has` : `the operators ${missing.join(", ")} have`} none here`,
    advice: "RATE (ratewise explain) works without them",
    operators: missing,
  });
}

function* saliencySteps(
  network: OnnxNetwork,
  program: Program,
  X: Matrix,
  shape: readonly number[],
  options: NetworkSaliencyOptions,
): Generator<Progress, Matrix> {
  const { method, steps: asked = 512, epsilon = 1e-4 } = options;
  const steps = method === "integrated-gradients" ? asked : 1;
  const p = X.cols;
  const baseline = options.baseline === "mean" ? columnMeans(X) : new Float64Array(p);
  const out = matrix(X.rows, p);
  const together = rowsTogether(program, tensor([1, ...shape], X.data.subarray(0, p)));
  const all = [...blocks(network, X, shape, together)];
  const total = all.length * steps;
  let done = 0;
  for (const { x, start, rows } of all) {
    const whole = x.dims[0];
    const values = evaluate(program, x);
    const target = goal(network, targetOf(program, values), whole, options);
    for (let step = 0; step < steps; step++) {
      const at = method === "integrated-gradients" ? between(baseline, x, (step + 0.5) / steps) : x;
      const here = at === x ? values : evaluate(program, at);
      const f = targetOf(program, here);
      const slope = target(f);
      const made =
        method === "lrp"
          ? relevance(program, here, slope.relevance, epsilon)
          : backward(program, here, slope.slope);
      for (let e = 0; e < rows * p; e++) {
        const scale =
          method === "gradient-x-input"
            ? x.data[e]
            : method === "integrated-gradients"
              ? x.data[e] - baseline[e % p]
              : 1;
        out.data[start * p + e] += (made.data[e] * scale) / steps;
      }
      yield { phase: "saliency", done: ++done, total };
    }
  }
  return out;
}

type Goal = (f: Tensor) => { readonly slope: Tensor; readonly relevance: Tensor };

/** What is explained at each row: f_c or π_c, its slope in f, and for LRP its value in the place of f_c. */
function goal(
  { detected }: OnnxNetwork,
  f: Tensor,
  rows: number,
  { of = "logit", class: chosen, link: given }: NetworkSaliencyOptions,
): Goal {
  const C = f.data.length / rows;
  const link = given ?? detected.link;
  check(link, C, of, chosen);
  const classes = Array.from({ length: rows }, (_, i) =>
    link === "softmax" ? (chosen ?? likeliest(f.data, i * C, C)) : (chosen ?? 1),
  );
  return (here) => {
    const slope = tensor(here.dims);
    const value = tensor(here.dims);
    for (let i = 0; i < rows; i++) {
      const at = i * C;
      if (link !== "softmax") {
        const sign = link === "logistic" && classes[i] === 0 ? -1 : 1;
        const signed = sign * here.data[at];
        const chance = 1 / (1 + elementary.exp(-signed));
        value.data[at] = of === "logit" ? signed : chance;
        slope.data[at] = of === "logit" ? sign : sign * chance * (1 - chance);
        continue;
      }
      const c = classes[i];
      if (of === "logit") {
        value.data[at + c] = here.data[at + c];
        slope.data[at + c] = 1;
        continue;
      }
      const odds = Array.from({ length: C }, (_, k) =>
        elementary.exp(here.data[at + k] - here.data[at + c]),
      );
      const sum = odds.reduce((total, odd) => total + odd, 0);
      value.data[at + c] = 1 / sum;
      for (let k = 0; k < C; k++) slope.data[at + k] = ((k === c ? 1 : 0) - odds[k] / sum) / sum;
    }
    return { slope, relevance: value };
  };
}

function check(link: NetworkLink, C: number, of: SaliencyOf, chosen: number | undefined): void {
  if (link !== "softmax" && C !== 1)
    throw new RatewiseError("domain", {
      what: `needs one output of a network without softmax, got ${C}`,
      option: "link",
      advice: say`say ${mention("link", "softmax")} where they are logits of classes`,
    });
  if (link === "identity" && of === "probability")
    throw new RatewiseError("domain", {
      what: "needs classes for a probability, got a network of numbers",
      option: "of",
      advice: "use the logit, which is its prediction",
    });
  if (link === "identity" && chosen !== undefined)
    throw new RatewiseError("domain", {
      what: `needs no class of a network of numbers, got ${chosen}`,
      option: "class",
    });
  const count = link === "softmax" ? C : link === "logistic" ? 2 : 1;
  if (chosen !== undefined && !(Number.isInteger(chosen) && chosen >= 0 && chosen < count))
    throw new RatewiseError("domain", {
      what: `needs a class from 0 to ${count - 1}, got ${chosen}`,
      option: "class",
    });
}

function likeliest(f: Float64Array, from: number, C: number): number {
  let best = 0;
  for (let c = 1; c < C; c++) if (f[from + c] > f[from + best]) best = c;
  return best;
}

/** x⁰ + t(x − x⁰) for each row. */
function between(baseline: Float64Array, x: Tensor, t: number): Tensor {
  const p = baseline.length;
  return {
    dims: x.dims,
    data: x.data.map((value, e) => baseline[e % p] + t * (value - baseline[e % p])),
  };
}

function columnMeans({ data, rows, cols }: Matrix): Float64Array {
  const mean = new Float64Array(cols);
  for (let e = 0; e < data.length; e++) mean[e % cols] += data[e] / rows;
  return mean;
}
