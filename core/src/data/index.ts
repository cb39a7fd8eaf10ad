export { readBundle, writeBundle } from "./bundle.ts";
export { type ColumnBuilder, type ColumnOptions, columnBuilder } from "./column-builder.ts";
export { type Encoding, textVariables, type VariableEncoding } from "./encoding.ts";
export { type Exclusion, excludeColumns } from "./exclude.ts";
export {
  type GmtGroups,
  groupsFromGmt,
  groupsFromLists,
  groupsFromPairs,
  indexNames,
  type VariableGroup,
} from "./groups.ts";
export { type IdxArray, looksLikeIdx, readIdx } from "./idx.ts";
export {
  groupsFromIntervals,
  type Interval,
  type IntervalGroups,
  type Position,
  parseBedIntervals,
} from "./intervals.ts";
export { type Json, parseJson } from "./json.ts";
export { denseColumns, type LabelledRows, parseLibsvm } from "./libsvm.ts";
export { type NpyArray, type NpyNumbers, readNpy, writeNpy } from "./npy.ts";
export {
  type BedGenotypes,
  type GeneticVariant,
  genotypesOf,
  parseBim,
  parseFam,
  readBed,
  type Sample,
  variantNames,
} from "./plink.ts";
export { pooledLevelsNote } from "./pooled-levels.ts";
export { readingNotes } from "./reading-notes.ts";
export { type Residuals, regressOut } from "./regress-out.ts";
export { type Split, splitRows } from "./split.ts";
export {
  type CategoryColumn,
  type Column,
  columnNamed,
  missingCount,
  type NumberColumn,
  type Table,
  table,
} from "./table.ts";
export { type LearningTask, type Target, targetFromColumn, taskNames } from "./target.ts";
