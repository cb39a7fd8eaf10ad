import type { CompareDocument } from "@ratewise/core";
import { csvCellOfText } from "@ratewise/files";

/** Scores and ranks of every variable and group by every method. */
export function* compareCsv({ methods, variables, groups }: CompareDocument): Generator<string> {
  const names = methods.map(({ name }) => name);
  yield `kind,name,${names.flatMap((name) => [name, `${name} rank`]).join(",")}\n`;
  for (const [kind, rows] of [
    ["variable", variables],
    ["group", groups],
  ] as const)
    for (const { name, scores, ranks } of rows) {
      const cells = names.flatMap((method) => [scores[method] ?? "", ranks[method] ?? ""]);
      yield `${[kind, csvCellOfText(name), ...cells].join(",")}\n`;
    }
}

/** The curves of the shuffle test: one row a method and number of variables shuffled. */
export function* shuffleCsv({ shuffle }: CompareDocument): Generator<string> {
  yield `method,shuffled,${shuffle.metric},standardError\n`;
  for (const { name, scores, standardErrors } of shuffle.curves)
    for (const [k, count] of shuffle.counts.entries())
      yield `${name},${count},${scores[k]},${standardErrors[k]}\n`;
}

/** Every candidate of every search. */
export function* searchCsv({ methods }: CompareDocument): Generator<string> {
  yield "method,candidate,best,settings,mean,standardError,scores\n";
  for (const { name, search } of methods)
    for (const [index, candidate] of (search?.candidates ?? []).entries())
      yield `${[
        name,
        index,
        index === search!.best,
        csvCellOfText(JSON.stringify(candidate.settings)),
        candidate.mean,
        candidate.standardError,
        candidate.scores.join(" "),
      ].join(",")}\n`;
}
