import {
  atMost,
  type Finding,
  finding,
  type StudyContext,
  settledAfterwards,
} from "./study/study.ts";

/** The most that the RATE step, from the Gaussian of the effect sizes to the ranking, may be of the whole. */
export const RATE_SHARE = 0.01;
export const RATE_SHARE_LINE = "share of the RATE step in the whole";
export const TOGETHER_LINE = "share of hidden layer, effect sizes and RATE together in the whole";

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

/** Minutes that RATE takes with reading and training, the share of the RATE step in the whole, and with other things counted. */
export function rateTimes(
  { seconds, processorSeconds }: Pick<StudyContext, "seconds" | "processorSeconds">,
  { rate, before, trained, others }: RateStages,
  mostMinutes: number,
): Finding[] {
  const sum = (stages: readonly string[], times = processorSeconds): number =>
    stages.reduce((total, stage) => total + times[stage], 0);
  const read = [...trained, ...before, rate];
  const own = sum([rate]);
  const alone = own + sum([...before, ...trained]);
  const whole = alone + sum(others);
  const to = "to read, train and rank by RATE";
  return [
    finding(`minutes of processors ${to}`, null, sum(read) / 60, atMost(mostMinutes)),
    finding(`minutes by the clock ${to}`, null, sum(read, seconds) / 60),
    settledAfterwards(finding(RATE_SHARE_LINE, null, own / whole, atMost(RATE_SHARE))),
    finding("seconds of processors of the RATE step", null, own),
    finding("its share where RATE is the only method in the whole", null, own / alone),
    finding(TOGETHER_LINE, null, (own + sum(before)) / whole),
  ];
}
