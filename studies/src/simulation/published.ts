export type Task = "regression" | "classification";

/** The paper's sample sizes. */
export const sizes = [3000, 10_000, 30_000, 100_000] as const;

/** Which of the sizes a cell has. */
export const placeOf = ({ rows }: { readonly rows: number }): number =>
  sizes.indexOf(rows as (typeof sizes)[number]);

/** Medians printed in the paper's Tables 1 and 2, at the four sizes. */
export const published: Readonly<
  Record<Task, Readonly<Record<"rate" | "boosting" | "forest", readonly number[]>>>
> = {
  regression: {
    rate: [0.8, 0.9, 0.94, 0.97],
    boosting: [0.84, 0.94, 0.96, 0.97],
    forest: [0.78, 0.68, 0.63, 0.61],
  },
  classification: {
    rate: [0.53, 0.77, 0.89, 0.93],
    boosting: [0.53, 0.79, 0.9, 0.94],
    forest: [0.53, 0.71, 0.69, 0.75],
  },
};

/** The 95% intervals printed beside them. */
export const publishedIntervals: Readonly<
  Record<Task, Readonly<Record<"rate" | "boosting" | "forest", readonly string[]>>>
> = {
  regression: {
    rate: ["0.75–0.83", "0.87–0.93", "0.92–0.97", "0.94–0.99"],
    boosting: ["0.78–0.87", "0.90–0.96", "0.94–0.99", "0.96–0.99"],
    forest: ["0.69–0.82", "0.66–0.84", "0.61–0.74", "0.58–0.93"],
  },
  classification: {
    rate: ["0.50–0.58", "0.68–0.85", "0.84–0.93", "0.91–0.96"],
    boosting: ["0.50–0.58", "0.68–0.87", "0.87–0.94", "0.93–0.98"],
    forest: ["0.49–0.57", "0.66–0.80", "0.65–0.75", "0.70–0.87"],
  },
};

/** Medians of the paper have two digits: this much above one of them is above what was rounded to it. */
export const PRINTED_ROUNDING = 0.005;

/** The best of the three methods of the paper in a cell. */
export function publishedBest(task: Task, at: number): number {
  const { rate, boosting, forest } = published[task];
  return Math.max(rate[at], boosting[at], forest[at]);
}
