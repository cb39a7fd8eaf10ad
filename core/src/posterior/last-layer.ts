import { type Diagnostic, diagnostic } from "../diagnostic.ts";
import { RatewiseError, refuseUnknown, refuseUnlisted } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import { clause, mention, say } from "../words/words.ts";
import {
  type GivenWeights,
  givenWeights,
  type LaplacePosterior,
  laplace,
  MOST_JOINT_WEIGHTS,
} from "./laplace.ts";
import { bayesianLinearRegression } from "./linear-regression.ts";
import { outputHessian } from "./output-covariance.ts";
import { expectations, outputsOf } from "./output-likelihood.ts";
import { posteriorMode } from "./output-mode.ts";
import { type OutputProblem, problemOf } from "./output-problem.ts";
import { type OutputLink, outputLinks } from "./output-weights.ts";
import { curvaturesOf, evidencePrecision } from "./prior-precision.ts";

export const posteriorPlaces = ["network", "mode"] as const;
export type PosteriorPlace = (typeof posteriorPlaces)[number];

export const biasTreatments = ["fixed", "integrated"] as const;
export type BiasTreatment = (typeof biasTreatments)[number];

export interface RefitLastLayerOptions {
  readonly link: OutputLink;
  /** C, for a softmax only. */
  readonly classes?: number;
  /** The network's own last layer; needed without a response, and where the curvature is taken at it. */
  readonly network?: GivenWeights;
  /** Where the posterior lies: around the network's own weights (default for classes) or the refitted `mode` (default for numbers). */
  readonly around?: PosteriorPlace;
  /** 1/σ_p²; left out, it maximises the evidence. */
  readonly priorPrecision?: number;
  /** τ² of numbers; left out, it maximises the evidence. Needed without a response. */
  readonly noiseVariance?: number;
  /** The network's own bias, `fixed` (default where there is one), or `integrated` out. */
  readonly bias?: BiasTreatment;
}

const known: Readonly<Record<keyof RefitLastLayerOptions, true>> = {
  link: true,
  classes: true,
  network: true,
  around: true,
  priorPrecision: true,
  noiseVariance: true,
  bias: true,
};

/** The refitted last layer of a trained network: plain data. */
export interface LastLayerRefit {
  readonly posterior: LaplacePosterior;
  readonly around: PosteriorPlace;
  readonly priorPrecision: number;
  readonly priorFrom: "evidence" | "given";
  /** τ², null for classes. */
  readonly noiseVariance: number | null;
  readonly bias: BiasTreatment;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A Gaussian posterior for the last linear layer of any trained network from its hidden activations H (n×l):
 * conjugate for numbers, Laplace's approximation for classes, at the network's own weights or at the refitted mode.
 * Variances that are not given maximise the evidence. Without a response only the curvature at the network's weights is to be
 * had, which for numbers needs τ². O(n·l² + l³), for a softmax with C·l.
 */
export function refitLastLayer(
  H: Matrix,
  y: Float64Array | null,
  options: RefitLastLayerOptions,
): LastLayerRefit {
  const where = "refitLastLayer";
  refuseUnknown(where, options, known);
  refuseUnlisted(where, "link", outputLinks, options.link ?? null);
  refuseUnlisted(where, "around", posteriorPlaces, options.around);
  refuseUnlisted(where, "bias", biasTreatments, options.bias);
  const { link, classes, network, priorPrecision } = options;
  const around = options.around ?? (link === "identity" && y !== null ? "mode" : "network");
  const bias = options.bias ?? (network ? "fixed" : "integrated");
  if (around === "mode" && y === null)
    throw new RatewiseError("domain", {
      in: where,
      what: "needs a response to refit the last layer, got none",
      option: "around",
    });
  if (!network && (around === "network" || bias === "fixed"))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs the network's own last layer${around === "network" ? "" : " for its bias"}, got none`,
      option: "around",
      advice: "refit it at the mode, with a response and the bias integrated",
    });
  if (link === "identity" && y === null && options.noiseVariance === undefined)
    throw new RatewiseError("domain", {
      in: where,
      what: say`needs a response or a noise variance (${mention("target")} or ${mention("noiseVariance")}), got neither`,
      option: "noiseVariance",
    });
  if (link !== "identity" && options.noiseVariance !== undefined)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs no noise variance for classes, got ${options.noiseVariance}`,
      option: "noiseVariance",
      advice: say`leave ${mention("noiseVariance")} out`,
    });
  const biasOption = bias === "integrated" ? ("integrated" as const) : network!.bias;
  const common = { link, ...(classes !== undefined && { classes }), bias: biasOption };
  const response = y ?? new Float64Array(H.rows); // at given weights no response enters
  const diagnostics: Diagnostic[] = [];
  let noiseVariance = link === "identity" ? (options.noiseVariance ?? null) : null;
  let precision = priorPrecision;
  if (link === "identity" && y !== null && (precision === undefined || noiseVariance === null)) {
    const settled = bayesianLinearRegression(H, y, {
      ...(precision !== undefined && { priorVariance: 1 / precision }),
      ...(noiseVariance !== null && { noiseVariance }),
      ...(bias === "fixed" && { intercept: network!.bias[0] }),
    });
    noiseVariance = settled.noiseVariance;
    precision = 1 / settled.priorVariance;
  }
  const problemWith = (lambda: number) =>
    problemOf(where, H, response, {
      ...common,
      priorVariance: 1 / lambda,
      ...(noiseVariance !== null && { noiseVariance }),
    }).problem;
  const biasColumns = bias === "integrated" ? 1 : 0;
  if (precision === undefined) {
    if (around === "network")
      precision = precisionAt(problemWith(1), biasColumns, (p) => givenWeights(network!, p));
    else precision = settle(problemWith, biasColumns, diagnostics);
  }
  const posterior = laplace(H, response, {
    ...common,
    priorVariance: 1 / precision,
    ...(noiseVariance !== null && { noiseVariance }),
    ...(around === "network" && { at: network! }),
  });
  return {
    posterior,
    around,
    priorPrecision: precision,
    priorFrom: priorPrecision === undefined ? "evidence" : "given",
    noiseVariance,
    bias,
    diagnostics: [...diagnostics, ...posterior.diagnostics],
  };
}

/** λ and the mode in turns, until λ stays where it is. */
function settle(
  problemWith: (lambda: number) => OutputProblem,
  biasColumns: number,
  diagnostics: Diagnostic[],
): number {
  let lambda = 1;
  for (let turn = 0; turn < 100; turn++) {
    const next = precisionAt(problemWith(lambda), biasColumns, posteriorMode);
    if (Math.abs(next - lambda) <= 1e-9 * lambda) return next;
    lambda = next;
  }
  diagnostics.push(
    diagnostic(
      "prior-not-settled",
      say`The evidence did not settle on a prior precision; ${lambda.toPrecision(3)} is used.${clause` Set ${mention("priorPrecision")} to be sure.`}`,
      { priorPrecision: lambda },
    ),
  );
  return lambda;
}

/** The best λ for weights that stay as they are. */
function precisionAt(
  problem: OutputProblem,
  biasColumns: number,
  weightsOf: (problem: OutputProblem) => Matrix,
): number {
  const W = weightsOf(problem);
  const width = problem.H.cols;
  const expected = expectations(problem.link, outputsOf(problem, W));
  const flat = { ...problem, precision: new Float64Array(width) };
  const all = Array.from({ length: problem.outputs }, (_, c) => c);
  const together = problem.outputs * width <= MOST_JOINT_WEIGHTS;
  const curvatures = (together ? [all] : all.map((c) => [c])).flatMap((outputs) => [
    ...curvaturesOf(
      outputHessian({ problem: flat, expected, outputs, biasColumns }),
      width,
      biasColumns,
    ),
  ]);
  let squaredNorm = 0;
  for (let e = 0; e < W.data.length; e++)
    if (e % width < width - biasColumns) squaredNorm += W.data[e] ** 2;
  return evidencePrecision(Float64Array.from(curvatures), squaredNorm);
}
