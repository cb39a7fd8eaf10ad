/** What tells the results of studies apart. */
export interface StudyAsked {
  readonly study: string;
  readonly seed: number;
  readonly quick: boolean;
  readonly permuted: boolean;
  readonly covariates: readonly string[];
}

/** The command that makes a study's result: `study mice --quick --seed 1`. */
export function studyCommand({ study, seed, quick, permuted, covariates }: StudyAsked): string {
  return [
    ...["study", study],
    ...(covariates.length > 0 ? ["--covariates", covariates.join(",")] : []),
    ...(quick ? ["--quick"] : []),
    ...(permuted ? ["--permuted"] : []),
    ...["--seed", seed],
  ].join(" ");
}
