import { engine } from "../compute/index.ts";
import type { LearningTask, VariableGroup } from "../data/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import {
  type EffectSizes,
  type GaussianWeights,
  type JacobianBlock,
  logisticNoiseVariance,
  projectCovariance,
  projectedEffects,
  softmaxContrastNoiseVariance,
  softmaxNoiseVariance,
} from "../effects/index.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import { accuracy, rSquared } from "../evaluate/index.ts";
import type { Matrix } from "../linalg/index.ts";
import { contentHash } from "../parallel/index.ts";
import { type LastLayerRefit, laplaceContrast } from "../posterior/index.ts";
import { entropy } from "../rate/entropy.ts";
import { type Group, type RateResult, rate } from "../rate/index.ts";
import { drive, type RunOptions } from "../run.ts";
import { version } from "../version.ts";
import { keptOfRate, overlookedByRate } from "./answer/overlooked.ts";
import type { RankingBasis } from "./answer/rank-again.ts";
import { scoreRowOf, sharesAndRanks, summedScores } from "./answer/scores.ts";
import { withStandIns } from "./answer/stand-in-notes.ts";
import type { ExplainDocument, ExplainedVariable } from "./document/explain-document.ts";
import { schemaVersion } from "./document/result.ts";
import { type Direct, directFromBlocks } from "./fit/direct-from-blocks.ts";
import type { HeldOut } from "./fit/held-out.ts";

/** A trained network as seen from its last hidden layer. */
export interface ExplainHiddenOptions extends RunOptions {
  /** n×p, in the columns that the network takes. */
  readonly X: Matrix;
  /** The last hidden layer on those rows, n×l. */
  readonly hidden: Matrix;
  /** The network's own f on those rows, n×outputs. */
  readonly functions: Matrix;
  readonly refit: LastLayerRefit;
  /** A name a column. */
  readonly names: readonly string[];
  /** Names of the classes; null for numbers. */
  readonly classes: readonly string[] | null;
  /** Numbers or class indexes, and what they are called; null for none. */
  readonly response: { readonly name: string; readonly values: Float64Array } | null;
  /** Groups of columns. */
  readonly groups?: readonly VariableGroup[];
  /** Derivatives of the hidden layer at all rows; or scores of the columns and groups; null where there are none. */
  readonly derivatives:
    | { readonly blocks: Iterable<JacobianBlock> }
    | { readonly direct: Direct }
    | null;
  /** More about the network, for the document. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly record: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly diagnostics?: readonly Diagnostic[];
  /** Is given what the marginal ranking is made from, for {@link rankAgain}. */
  readonly onRanking?: (basis: RankingBasis) => void;
}

/** What `ratewise explain --model net.onnx` writes as result.json: as for a table, with null for what only training can tell. */
export interface TrainedNetworkDocument
  extends Omit<
    ExplainDocument,
    "model" | "target" | "recipe" | "calibration" | "predictions" | "shapes"
  > {
  readonly target: string | null;
  readonly recipe: null;
  readonly calibration: null;
  readonly predictions: null;
  readonly shapes: readonly [];
  readonly model: {
    readonly kind: "onnx";
    readonly posterior: "laplace";
    readonly kernel: null;
    readonly inputs: number;
    /** The width of the last hidden layer; the others are the network's own affair. */
    readonly layers: readonly [number];
    readonly ensemble: 1;
    readonly penalty: readonly [];
    readonly epochs: readonly [];
    /** Which rows the network was trained on is not known. */
    readonly heldOut: null;
    /** How well the network as it is predicts the response on the rows given; null without one. */
    readonly score: HeldOut | null;
    readonly refit: {
      readonly around: "network" | "mode";
      readonly priorPrecision: number;
      readonly priorFrom: "evidence" | "given";
      readonly noiseVariance: number | null;
      readonly bias: "fixed" | "integrated";
    };
    readonly rows: { readonly train: number; readonly test: 0 };
    readonly [about: string]: unknown;
  };
}

/** Classes up to which every pair is contrasted. */
const MOST_CONTRASTED = 10;

/**
 * The explanation of a network that is already trained, from its last hidden layer: effect sizes of the refitted last
 * layer's Gaussian weights on the rows given, their RATE, and the gradient's where there are derivatives.
 */
export async function explainHidden(
  options: ExplainHiddenOptions,
): Promise<TrainedNetworkDocument> {
  check(options);
  const { X, hidden, functions, refit, names, classes, response, groups = [] } = options;
  const { posterior, noiseVariance: tau2 } = refit;
  const { link, outputs } = posterior;
  const p = X.cols;
  const noiseVariance =
    tau2 ?? (link === "logistic" ? logisticNoiseVariance : softmaxNoiseVariance);
  const columns: Group[] = names.map((name, j) => ({ name, members: [j] }));
  const scored = [...columns, ...groups];
  const projected = projectCovariance(X, hidden, names);
  const effectsOf = (weights: GaussianWeights, noise: number): EffectSizes =>
    projectedEffects(projected, weights, { noiseVariance: noise });
  const effects = outputs.map((weights) => effectsOf(weights, noiseVariance));
  options.onRanking?.({ effects, variables: columns });
  const results = effects.map((sizes) => rate(sizes, { groups: scored }));
  const direct = await directOf(options, scored, noiseVariance);
  const scores = summedScores(results, 0, p);
  const groupScores = summedScores(results, p, scored.length);
  const directShares = direct && sharesAndRanks(direct.scores.subarray(0, p));
  const groupDirect = direct && sharesAndRanks(direct.scores.subarray(p));
  const first = Float64Array.from({ length: X.rows }, (_, i) => functions.data[i * functions.cols]);
  const owner = Uint32Array.from(names, (_, j) => j);
  const unasked = { selected: null, pValue: null, qValue: null } as const;
  const single = results.length === 1 ? results[0].variables : null;
  const ranked = names.map(
    (name, j): ExplainedVariable => ({
      ...scoreRowOf(scores, name, j),
      mean: single ? single.mean[j] : null,
      sd: single ? single.sd[j] : null,
      direct: directShares && { rate: directShares.rate[j], rank: directShares.rank[j] },
      standInFor: null,
      ...unasked,
      topK: null,
      rankInterval: null,
    }),
  );
  const { variables, diagnostics: ofStandIns } = withStandIns(ranked, X, owner, first);
  const score = response && scoreOf(options, response.values);
  const { around, priorPrecision, priorFrom, bias } = refit;
  return {
    kind: "explain",
    schema: schemaVersion,
    task: taskOf(options),
    target: response?.name ?? null,
    recipe: null,
    effect: "covariance",
    model: {
      kind: "onnx",
      posterior: "laplace",
      kernel: null,
      inputs: p,
      layers: [hidden.cols],
      ensemble: 1,
      penalty: [],
      epochs: [],
      heldOut: null,
      score,
      refit: { around, priorPrecision, priorFrom, noiseVariance: tau2, bias },
      rows: { train: X.rows, test: 0 },
      ...options.about,
    },
    calibration: null,
    predictions: null,
    variables,
    shapes: [],
    groups: groups.map(({ name, members }, g) => ({
      ...scoreRowOf(groupScores, name, g),
      size: new Set(members).size,
      direct: groupDirect && { rate: groupDirect.rate[g], rank: groupDirect.rank[g] },
      ...unasked,
    })),
    classes:
      results.length === 1
        ? null
        : results.map((result, c) => ({ class: classes![c], variables: rowsOf(result, names) })),
    contrasts:
      link !== "softmax" || outputs.length > MOST_CONTRASTED
        ? null
        : pairsOf(outputs.length).map(([a, b]) => {
            const weights = laplaceContrast(posterior, hidden, a, b);
            const effects = effectsOf(weights, softmaxContrastNoiseVariance);
            const result = rate(effects, { groups: scored });
            return { between: [classes![a], classes![b]], variables: rowsOf(result, names) };
          }),
    ...(entropy(scores.rate) ?? { delta: null, ess: null }),
    posteriorRank: results[0].posteriorRank,
    diagnostics: [
      ...(options.diagnostics ?? []),
      ...fitNote(score),
      ...ofStandIns,
      ...overlookedByRate(variables),
      ...refit.diagnostics,
      ...results[0].diagnostics.filter((diagnostic) => !direct || keptOfRate(diagnostic)),
    ],
    excluded: [],
    seed: options.seed,
    engine: engine().name,
    version,
    options: { directForm: direct?.form ?? null, ...options.record },
    dataHash: contentHash({ X, names, response: response?.values ?? null }),
  };
}

async function directOf(
  { derivatives, X, refit, ...run }: ExplainHiddenOptions,
  groups: readonly Group[],
  noiseVariance: number,
): Promise<Direct | null> {
  if (!derivatives) return null;
  if ("direct" in derivatives) return derivatives.direct;
  const weights = refit.posterior.outputs;
  return drive(directFromBlocks(derivatives.blocks, X, { weights, noiseVariance, groups }), run);
}

function taskOf({ refit }: ExplainHiddenOptions): LearningTask {
  return refit.posterior.link === "identity" ? "regression" : "classification";
}

/** The network as it is against the response: R², or the share of classes that are right. */
function scoreOf({ functions, refit, classes }: ExplainHiddenOptions, y: Float64Array): HeldOut {
  const { link } = refit.posterior;
  if (link === "identity") return { metric: "r2", score: rSquared(functions.data, y), baseline: 0 };
  const C = functions.cols;
  const named = Float64Array.from(y, (_, i) => {
    if (link === "logistic") return functions.data[i] > 0 ? 1 : 0;
    const row = functions.data.subarray(i * C, (i + 1) * C);
    return row.indexOf(Math.max(...row));
  });
  const counts = new Float64Array(classes!.length);
  for (const label of y) counts[label]++;
  return {
    metric: "accuracy",
    score: accuracy(named, y),
    baseline: Math.max(...counts) / y.length,
  };
}

function fitNote(score: HeldOut | null): Diagnostic[] {
  if (!score) return [];
  const { metric, baseline } = score;
  if (metric === "r2" && score.score > OWN_OUTPUT) return [ownOutput(score)];
  if ((metric === "r2" ? score.score : score.score - baseline) > 0.05) return [];
  return [
    {
      code: "model-predicts-poorly",
      message:
        metric === "r2"
          ? `The network's own output explains next to nothing of this response (R² ${score.score.toFixed(2)}): is it in the units, the order and the scale that the network was trained with?`
          : `The network's own classes are hardly better than always naming the commonest (${(100 * score.score).toFixed(1)}% against ${(100 * baseline).toFixed(1)}%): are inputs and classes in the order and the scale that it was trained with?`,
      score: score.score,
      baseline,
    },
  ];
}

/** R² that no noisy response has. */
const OWN_OUTPUT = 0.9999;

function ownOutput({ score }: HeldOut): Diagnostic {
  return {
    code: "response-is-own-output",
    message: `The response is what the network gives (R² ${score.toFixed(4)}): its own output, perhaps. The noise is then taken for next to nothing, and every effect for nearly certain. Give the response that was observed.`,
    score,
  };
}

function rowsOf(result: RateResult, names: readonly string[]) {
  const scores = summedScores([result], 0, names.length);
  return names.map((name, j) => scoreRowOf(scores, name, j));
}

function pairsOf(C: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let a = 0; a < C; a++) for (let b = a + 1; b < C; b++) pairs.push([a, b]);
  return pairs;
}

function check({ X, hidden, functions, names, refit, classes }: ExplainHiddenOptions): void {
  const where = "explainHidden";
  if (hidden.rows !== X.rows || functions.rows !== X.rows)
    throw shapeError(
      where,
      `hidden values of ${X.rows} rows`,
      `${hidden.rows} and ${functions.rows}`,
    );
  if (names.length !== X.cols) throw shapeError(where, `${X.cols} names`, `${names.length}`);
  if (X.cols < 2 || X.rows < 3)
    throw new RatewiseError(
      "domain",
      `${where}: needs at least 3 rows and 2 columns, got ${X.rows} and ${X.cols}`,
    );
  const { link, outputs } = refit.posterior;
  const needed = link === "identity" ? 0 : link === "logistic" ? 2 : outputs.length;
  if ((classes?.length ?? 0) !== needed)
    throw shapeError(where, `names of ${needed} classes`, `${classes?.length ?? 0}`);
}
