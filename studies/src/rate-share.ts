import { atMost, type Finding, finding } from "./study/study.ts";

/** The most that the RATE step may be of the whole. */
const RATE_SHARE = 0.01;

/** What is counted, for the methods of the pages. */
export const rateShareText: string =
  "The RATE step is what leads from the Gaussian of the effect sizes to the ranking: what the paper solves p systems for. The whole is reading, training and ranking by RATE and both mimics, without the search for the mimics' settings. Both are seconds of processors in the run recorded below; whatever the compiler does at a first call is in them.";

/** Which stages of a study are what. */
export interface RateStages {
  readonly rate: string;
  /** From the network to the effect sizes. */
  readonly before: readonly string[];
  /** Reading and training. */
  readonly trained: readonly string[];
  readonly mimics: readonly string[];
}

/** The share of the RATE step in the whole, and with other things counted. */
export function rateShareFindings(
  processorSeconds: Readonly<Record<string, number>>,
  { rate, before, trained, mimics }: RateStages,
): Finding[] {
  const sum = (stages: readonly string[]): number =>
    stages.reduce((total, stage) => total + processorSeconds[stage], 0);
  const own = sum([rate]);
  const alone = own + sum([...before, ...trained]);
  const whole = alone + sum(mimics);
  return [
    finding("share of the RATE step in the whole", null, own / whole, atMost(RATE_SHARE)),
    finding("seconds of processors of the RATE step", null, own),
    finding("its share where no mimic is counted in the whole", null, own / alone),
    finding(
      "share of hidden layer, effect sizes and RATE together in the whole",
      null,
      (own + sum(before)) / whole,
    ),
  ];
}
