import { weightedMean } from "../linalg/moments.ts";
import type { Progress } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import { type Gain, gain } from "./gain.ts";
import { layoutOf } from "./layout.ts";
import { blend, type HeldBack, halves, type Mix } from "./mix.ts";
import { heldBackWeights } from "./row-weights.ts";
import { type TrainedNetwork, type TrainingTask, trainNetwork } from "./train-network.ts";
import { rowLosses } from "./validation-score.ts";
import { multiplyAdds } from "./work.ts";

/**
 * `constant`: no column at all. `linear`: the linear part alone. `network`: hidden units alone. `blend`: both, fitted apart,
 * each with its share. `beside`: hidden units that learned what the linear part leaves.
 */
export type ModelForm = "constant" | "linear" | "network" | "blend" | "beside";

/** A model that was tried, judged by the rows held back. */
export interface Tried {
  readonly form: ModelForm;
  /** Units of its hidden layers; none without a network. */
  readonly layers: readonly number[];
  /** Mean loss of the rows held back: squared error in units of the response's variance, or −log p. */
  readonly loss: number;
  /** What it gains over the one taken before; null for the first. */
  readonly gain: Gain | null;
  readonly taken: boolean;
}

export interface Chosen extends Mix {
  /** Null where the linear part alone was best. To be disposed of. */
  readonly network: TrainedNetwork | null;
  /** Its loss on every row held back; null where none are, or nothing was compared. */
  readonly losses: Float64Array | null;
  readonly tried: readonly Tried[];
}

interface Candidate extends Mix {
  readonly form: ModelForm;
  readonly network: TrainedNetwork | null;
  readonly losses: Float64Array;
}

/**
 * The simplest first: the linear part alone; a network alone, and a blend of both; where the linear part has a share in the
 * best of these, a network that learns what it leaves; then larger networks of the form that won. Each has to gain
 * convincingly over the best before it, and the search ends with the first size that does not.
 */
export function* choose(
  task: TrainingTask,
  architectures: readonly Architecture[],
): Generator<Progress, Chosen> {
  const { linear, splits } = task;
  const held = splits[0].validationRows.length > 0;
  const works = architectures.map((architecture) => multiplyAdds(layoutOf(architecture)));
  if (!held || (!linear && architectures.length === 1)) {
    const options = { at: 0, beside: null, work: 1, later: 0 };
    const network = yield* trainNetwork(task, architectures[0], options);
    return { network, linear: 0, hidden: 1, losses: null, tried: [] };
  }
  const search = newSearch(task);
  try {
    if (linear && task.linearAlone) {
      const form = linear.worthwhile ? "linear" : "constant";
      search.consider({
        form,
        network: null,
        linear: 1,
        hidden: 0,
        losses: search.lossesOf(linear.heldBack()),
      });
    }
    let beside = false;
    for (const [at, architecture] of architectures.entries()) {
      const work = works[at] * (at === 0 ? 1 : NEAR_WORK);
      const later = NEAR_WORK * (works[at + 1] ?? 0);
      let better = false;
      if (!beside) {
        const plan = at === 0 ? task.plan : search.planNear();
        const options = { at, beside: null, hurdle: search.hurdle(), work, later };
        const network = yield* trainNetwork({ ...task, plan }, architecture, options);
        better = search.considerAlone(network);
      }
      if (linear?.worthwhile && (beside || (at === 0 && search.taken().linear > 0))) {
        const options = { at, beside: linear, work: works[at] * NEAR_WORK, later };
        const network = yield* trainNetwork(
          { ...task, plan: search.planNear() },
          architecture,
          options,
        );
        beside = search.considerBeside(network);
        better ||= beside;
      }
      if (!better) break;
    }
    const { network, linear: share, hidden, losses } = search.taken();
    return { network, linear: share, hidden, losses, tried: search.tried };
  } catch (error) {
    search.dispose();
    throw error;
  }
}

/**
 * Standard errors that the gain of a model is above whose epochs, penalty or shares were chosen on the same rows. Half of each
 * of two models was chosen by nobody: one error will do.
 */
const SEARCHED = 2;
const NOT_SEARCHED = 1;

/** Work of a training at the penalties near one that was best, beside one at all penalties. */
const NEAR_WORK = 0.4;

interface Search {
  readonly tried: readonly Tried[];
  readonly taken: () => Candidate;
  readonly lossesOf: (outputs: Float64Array) => Float64Array;
  /** @returns whether the candidate was taken: whether it gains more than so many standard errors */
  readonly consider: (candidate: Candidate, errors?: number) => boolean;
  readonly considerAlone: (network: TrainedNetwork) => boolean;
  readonly considerBeside: (network: TrainedNetwork) => boolean;
  /** The penalty that was best for the network before, after none and before the next: another network wants much the same. */
  readonly planNear: () => TrainingTask["plan"];
  /** What the network before came to without any penalty: a larger one that is no better so will not be in the end. */
  readonly hurdle: () => number;
  readonly dispose: () => void;
}

function newSearch(task: TrainingTask): Search {
  const { linear, splits, target, plan } = task;
  const rows = Uint32Array.from(splits.flatMap(({ validationRows }) => [...validationRows]));
  const weights = heldBackWeights(splits, task.weights);
  const tried: Tried[] = [];
  let taken: Candidate | null = null;
  let penalty: number | null = null;
  let hurdle = Number.POSITIVE_INFINITY;
  const lossesOf = (outputs: Float64Array): Float64Array =>
    rowLosses(task.layout, outputs, target, rows);
  const consider = (candidate: Candidate, errors = SEARCHED): boolean => {
    const { form, network, losses } = candidate;
    const gained = taken && gain(taken.losses, losses, { weights, errors });
    const convincing = gained?.convincing ?? true;
    const layers = network ? unitsOf(network.architecture) : [];
    tried.push({
      form,
      layers,
      loss: weightedMean(losses, weights),
      gain: gained,
      taken: convincing,
    });
    if (!convincing) return false;
    if (taken?.network && taken.network !== network) taken.network.dispose();
    taken = candidate;
    return true;
  };
  const heldBack: HeldBack = { layout: task.layout, target, rows, weights };
  return {
    tried,
    taken: () => taken!,
    lossesOf,
    consider,
    considerAlone(network) {
      penalty = network.best.penalty;
      const first = network.history.filter((epoch) => epoch.penalty === plan.penalties[0]);
      hurdle = Math.min(...first.map(({ validationLoss }) => validationLoss));
      const outputs = network.heldBack();
      const alone: Candidate = {
        form: "network",
        network,
        linear: 0,
        hidden: 1,
        losses: lossesOf(outputs),
      };
      let better = consider(alone);
      if (linear) {
        const known = linear.heldBack();
        for (const mix of [halves, blend])
          better =
            consider(
              { form: "blend", network, ...mix(heldBack, known, outputs) },
              mix === halves ? NOT_SEARCHED : SEARCHED,
            ) || better;
      }
      if (taken?.network !== network) network.dispose();
      return better;
    },
    considerBeside(network) {
      penalty = network.best.penalty;
      const losses = lossesOf(network.heldBack());
      const better = consider({ form: "beside", network, linear: 1, hidden: 1, losses });
      if (!better) network.dispose();
      return better;
    },
    planNear() {
      const at = plan.penalties.indexOf(penalty ?? plan.penalties[0]);
      const near = [...new Set([plan.penalties[0], ...plan.penalties.slice(at, at + 2)])];
      return { ...plan, penalties: near };
    },
    hurdle: () => hurdle,
    dispose: () => taken?.network?.dispose(),
  };
}

const unitsOf = ({ layers }: Architecture): number[] =>
  layers.flatMap((layer) => ("units" in layer ? layer.units : []));
