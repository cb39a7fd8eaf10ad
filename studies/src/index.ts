export { type CoverageRow, coverage } from "./calibration/coverage.ts";
export { modelHolds } from "./calibration/model-holds.ts";
export {
  type CoverageSummary,
  coverageTable,
  summariseCoverage,
} from "./calibration/summary.ts";
export { type Journal, openJournal } from "./journal.ts";
export {
  type CellRequest,
  type CellResult,
  type RankingAreas,
  runCell,
} from "./simulation/cell.ts";
export { areasFigure } from "./simulation/figure.ts";
export { type CellSummary, summarise, summaryTable } from "./simulation/summary.ts";
