/** What the library is to be asked about rows held out: the share that stands where nothing was typed gives way to folds and files. */
export function splitSettings<
  Training extends {
    readonly testFraction: number;
    readonly test?: string;
    readonly folds?: number;
  },
>({ test, testFraction, ...others }: Training) {
  const share = test === undefined && others.folds === undefined;
  return {
    settings: { ...others, ...(share && { testFraction }) },
    recorded: test === undefined ? {} : { test },
  };
}
