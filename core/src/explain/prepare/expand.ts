import { expandEncoding } from "../../data/encoding.ts";
import { type Expansion, expandColumns, withExpansions } from "../../data/expansion.ts";
import { columnNames } from "./column-names.ts";
import type { Prepared } from "./prepared.ts";

/** The same table with further columns, which belong to the variables that they are made of. */
export function withExpandedColumns(
  prepared: Prepared,
  expansions: readonly Expansion[],
): Prepared {
  if (expansions.length === 0) return prepared;
  const encoding = expandEncoding(prepared.encoding, expansions);
  const wider = <G extends { readonly members: readonly number[] }>(group: G): G => ({
    ...group,
    members: withExpansions(group.members, expansions),
  });
  const { train, test } = prepared;
  return {
    ...prepared,
    encoding,
    train: { ...train, X: expandColumns(train.X, expansions) },
    test: { ...test, X: expandColumns(test.X, expansions) },
    columnNames: columnNames(encoding),
    variables: prepared.variables.map(wider),
    groups: prepared.groups.map(wider),
  };
}

/**
 * The same table without them. Which columns were expanded was decided by the response, so a test against copies of the
 * columns, or against permuted responses, must do without.
 */
export function withoutExpansions(prepared: Prepared): Prepared {
  const { expansions = [], ...own } = prepared.encoding;
  if (expansions.length === 0) return prepared;
  const width = Math.min(...expansions.map(({ first }) => first));
  const encoding = { ...own, width };
  const narrower = <G extends { readonly members: readonly number[] }>(group: G): G => ({
    ...group,
    members: group.members.filter((column) => column < width),
  });
  const cut = (part: Prepared["train"]): Prepared["train"] => {
    const { data, rows, cols } = part.X;
    const kept = new Float32Array(rows * width);
    for (let i = 0; i < rows; i++) kept.set(data.subarray(i * cols, i * cols + width), i * width);
    return { ...part, X: { data: kept, rows, cols: width } };
  };
  return {
    ...prepared,
    encoding,
    train: cut(prepared.train),
    test: cut(prepared.test),
    columnNames: columnNames(encoding),
    variables: prepared.variables.map(narrower),
    groups: prepared.groups.map(narrower),
  };
}
