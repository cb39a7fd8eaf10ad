import { weightedMean } from "../linalg/moments.ts";
import type { Architecture } from "./architecture.ts";
import type { Candidate } from "./candidate.ts";
import type { TaskExpansion } from "./expanded-task.ts";
import { type Gain, gain } from "./gain.ts";
import { blend, type HeldBack, halves } from "./mix.ts";
import { heldBackWeights } from "./row-weights.ts";
import type { TrainedNetwork, TrainingTask } from "./train-network.ts";
import type { Tried } from "./tried.ts";
import { rowLosses } from "./validation-score.ts";

/**
 * Standard errors that a gain is above. With few rows chance favours one of many models, and taking it alone costs much where
 * chance was wrong. Half of it and half of the linear part costs little, and needs one error only.
 */
export const SEARCHED = 3;
const NOT_SEARCHED = 1;

/** The models of one response and its columns, each judged by the rows held back. */
export interface Search {
  /** What they are trained on; with further columns where some were expanded. */
  readonly task: TrainingTask;
  readonly expansions: readonly TaskExpansion[];
  readonly tried: readonly Tried[];
  /** The best so far. */
  readonly taken: () => Candidate;
  /** Whether that learned what the linear part leaves. */
  readonly beside: () => boolean;
  /** Considers the linear part, and then networks alone or beside it; each says whether it was taken. */
  readonly considerLinear: () => boolean;
  readonly considerAlone: (network: TrainedNetwork) => boolean;
  readonly considerBeside: (network: TrainedNetwork) => boolean;
  /** The penalty that was best for the network before, after none and before the next: another network wants much the same. */
  readonly planNear: () => TrainingTask["plan"];
  /** What the network before came to without any penalty: a larger one that is no better so will not be in the end. */
  readonly hurdle: () => number;
  /** What another search tried, before or after this one. */
  readonly tell: (tried: readonly Tried[]) => void;
  readonly dispose: () => void;
}

export function newSearch(task: TrainingTask, expansions: readonly TaskExpansion[] = []): Search {
  const { linear, splits, target, plan, layout } = task;
  const rows = Uint32Array.from(splits.flatMap(({ validationRows }) => [...validationRows]));
  const weights = heldBackWeights(splits, task.weights);
  let tried: readonly Tried[] = [];
  let taken: Candidate | null = null;
  let penalty: number | null = null;
  let hurdle = Number.POSITIVE_INFINITY;
  const lossesOf = (outputs: Float64Array): Float64Array =>
    rowLosses(layout, outputs, target, rows);
  /** Takes the candidate where it gains more than so many standard errors. */
  const consider = (candidate: Candidate, errors = SEARCHED): boolean => {
    const { form, network, losses } = candidate;
    const gained = taken && gain(taken.losses, losses, { weights, errors });
    const convincing = gained?.convincing ?? true;
    const layers = network ? unitsOf(network.architecture) : [];
    const about = { form, layers, expanded: expansions.length, log: task.logScale !== null };
    const loss = weightedMean(losses, weights);
    tried = [...tried, { ...about, loss, gain: gained, taken: convincing }];
    if (!convincing) return false;
    if (taken?.network && taken.network !== network) taken.network.dispose();
    taken = candidate;
    return true;
  };
  const held: HeldBack = { layout, target, rows, weights };
  return {
    task,
    expansions,
    get tried() {
      return tried;
    },
    taken: () => taken!,
    beside: () => taken?.form === "beside",
    considerLinear() {
      const form = linear!.worthwhile ? "linear" : "constant";
      const heldBack = linear!.heldBack();
      const losses = lossesOf(heldBack);
      return consider({ form, network: null, linear: 1, hidden: 0, heldBack, losses });
    },
    considerAlone(network) {
      penalty = network.best.penalty;
      const first = network.history.filter((epoch) => epoch.penalty === plan.penalties[0]);
      hurdle = Math.min(...first.map(({ validationLoss }) => validationLoss));
      const heldBack = network.heldBack();
      const alone = { form: "network", network, linear: 0, hidden: 1 } as const;
      let better = consider({ ...alone, heldBack, losses: lossesOf(heldBack) });
      if (linear) {
        const known = linear.heldBack();
        for (const mix of [halves, blend])
          better =
            consider(
              { form: "blend", network, ...mix(held, known, heldBack) },
              mix === halves ? NOT_SEARCHED : SEARCHED,
            ) || better;
      }
      if (taken?.network !== network) network.dispose();
      return better;
    },
    considerBeside(network) {
      penalty = network.best.penalty;
      const heldBack = network.heldBack();
      const losses = lossesOf(heldBack);
      const better = consider({ form: "beside", network, linear: 1, hidden: 1, heldBack, losses });
      if (!better) network.dispose();
      return better;
    },
    planNear() {
      const at = plan.penalties.indexOf(penalty ?? plan.penalties[0]);
      const near = [...new Set([plan.penalties[0], ...plan.penalties.slice(at, at + 2)])];
      return { ...plan, penalties: near };
    },
    hurdle: () => hurdle,
    tell: (all) => {
      tried = all;
    },
    dispose: () => taken?.network?.dispose(),
  };
}

/** The one of two searches that is kept; what the other tried is told before it, or as not taken after it. */
export function keepOne(before: Search, after: Search, gained: Gain, taken: boolean): Search {
  const last = after.tried.findLastIndex((each) => each.taken);
  const [kept, left] = taken ? [after, before] : [before, after];
  kept.tell([
    ...before.tried,
    ...after.tried.map((each, at) => ({
      ...each,
      taken: each.taken && taken,
      ...(at === last && { gain: gained }),
    })),
  ]);
  left.dispose();
  return kept;
}

const unitsOf = ({ layers }: Architecture): number[] =>
  layers.flatMap((layer) => ("units" in layer ? layer.units : []));
