import type { CompareDocument } from "@ratewise/core/explain";
import { csvCellOfText } from "@ratewise/files";

/** Scores and ranks of every variable and group by every method, and the standard errors of those that permute. */
export function* compareCsv({ methods, variables, groups }: CompareDocument): Generator<string> {
  const names = methods.map(({ name }) => name);
  const permuted = new Set(variables.flatMap(({ standardErrors }) => Object.keys(standardErrors)));
  const columns = names.flatMap((name) => [
    name,
    `${name} rank`,
    ...(permuted.has(name) ? [`${name} standardError`] : []),
  ]);
  yield `kind,name,${columns.join(",")}\n`;
  for (const [kind, rows] of [
    ["variable", variables],
    ["group", groups],
  ] as const)
    for (const { name, scores, ranks, standardErrors } of rows) {
      const cells = names.flatMap((method) => [
        scores[method] ?? "",
        ranks[method] ?? "",
        ...(permuted.has(method) ? [standardErrors[method] ?? ""] : []),
      ]);
      yield `${[kind, csvCellOfText(name), ...cells].join(",")}\n`;
    }
}

/** The curves of the shuffle test: one row per method and number of variables shuffled. */
export function* shuffleCsv({ shuffle }: CompareDocument): Generator<string> {
  yield `method,shuffled,${shuffle.metric},standardError\n`;
  for (const { name, scores, standardErrors } of shuffle.curves)
    for (const [k, count] of shuffle.counts.entries())
      yield `${name},${count},${scores[k]},${standardErrors[k]}\n`;
}

/** Every candidate of every search; gbm and tree-shap share theirs, which stands once. */
export function* searchCsv({ methods }: CompareDocument): Generator<string> {
  const told = new Set<string>();
  yield "method,candidate,best,settings,mean,standardError,scores\n";
  for (const { name, search } of methods) {
    if (search === null || told.has(search.method)) continue;
    told.add(search.method);
    for (const [index, candidate] of search.candidates.entries())
      yield `${[
        name,
        index,
        index === search.best,
        csvCellOfText(JSON.stringify(candidate.settings)),
        candidate.mean,
        candidate.standardError,
        candidate.scores.join(" "),
      ].join(",")}\n`;
  }
}
