import type { Progress } from "../run.ts";

/** One bar over the trainings of a search: it never goes back, and ends full. */
export interface SearchPace {
  /**
   * @param work of the whole training, in any unit
   * @param later work that may follow, in the same unit
   */
  readonly training: (work: number, later: number) => PacedTraining;
  /** The last event. */
  readonly end: () => Progress;
}

export interface PacedTraining {
  /** Passes the steps of a part of the training on as those of the whole search. */
  readonly pass: <T>(steps: Generator<Progress, T>) => Generator<Progress, T>;
}

/** Of the work that may follow, half will: a larger network is tried only where the smaller won. */
const LIKELY = 0.5;
/** The end of the bar is for the end of the work. */
const MOST = 0.99;

export function searchPace(): SearchPace {
  const trainings: { readonly work: number; share: number }[] = [];
  let share = 0;
  let last: Progress = { phase: "train", done: 1, total: 1 };
  return {
    training(work, later) {
      const own = { work, share: 0 };
      trainings.push(own);
      return {
        *pass(steps) {
          for (;;) {
            const step = steps.next();
            if (step.done) return step.value;
            const { done, total } = step.value;
            own.share = Math.max(own.share, total > 0 ? done / total : 0);
            const spent = trainings.reduce((sum, each) => sum + each.work * each.share, 0);
            const expected = spent + work * (1 - own.share) + LIKELY * later;
            share = Math.max(share, Math.min(MOST, spent / expected));
            last = { ...step.value, done: spent, total: share > 0 ? spent / share : expected };
            yield last;
          }
        },
      };
    },
    end: () => ({ ...last, total: last.done }),
  };
}
