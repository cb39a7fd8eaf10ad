import type { Progress } from "../run.ts";
import type { Recipe } from "./recipe.ts";

/** How far a training is, in epochs done and epochs expected: nobody knows beforehand when patience will end. */
export interface TrainingPace {
  /** Epochs to expect, this one included, before one at the penalty of this index; `best` was its best so far. */
  readonly ahead: (at: number, epoch: number, best: number) => number;
  /** The best so far is that of the penalty of this index, and took as many epochs: training again takes as many. */
  readonly choose: (at: number, epochs: number) => void;
  /** A part of an epoch is done, of as many that were `ahead` before it. */
  readonly progress: (ahead: number, part: number) => Progress;
  /** An epoch is over; one of more rows than usual counts for more. */
  readonly finishEpoch: (cost: number) => void;
}

/** Epochs that the first penalty takes to its best score, from random weights; the others start near theirs. */
const FIRST_BEST = 16;

/**
 * A guess from what trainings on the paper's simulation and on tables took: at a penalty after the first, the best epoch
 * is mostly one of the first two and now and then a late one; 1 + 0.4·patience lies between.
 * The share that is reported never goes back.
 */
export function trainingPace(
  { penalties, epochs, trainAgain }: Pick<Recipe, "penalties" | "epochs" | "trainAgain">,
  patience: number,
): TrainingPace {
  const usualBest = 1 + 0.4 * Math.min(patience, epochs);
  const usual = Math.min(epochs, usualBest + patience);
  let again = usualBest;
  let spent = 0;
  let share = 0;
  return {
    ahead(at, epoch, best) {
      const left = patience - (epoch - best);
      const improving = Math.max(usualBest, at === 0 ? FIRST_BEST - best : 0);
      // The longer nothing has improved, the less is to be expected.
      const here = Math.min(left + improving * Math.min(1, left / patience || 1), epochs - epoch);
      const later = (penalties.length - 1 - at) * usual;
      return here + later + (trainAgain ? again : 0);
    },
    choose(at, epochs) {
      // The first penalty, none, is seldom best in the end.
      if (at > 0) again = epochs;
    },
    progress(ahead, part) {
      const done = spent + part;
      const expected = Math.max(done, spent + ahead);
      share = Math.max(share, expected > 0 ? done / expected : 1);
      return { phase: "train", done, total: share < 1 ? done / share || 1 : done };
    },
    finishEpoch(cost) {
      spent += cost;
    },
  };
}
