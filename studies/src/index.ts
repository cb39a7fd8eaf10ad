export { type CoverageRow, coverage } from "./calibration/coverage.ts";
export { modelHolds } from "./calibration/model-holds.ts";
export {
  type CoverageSummary,
  coverageTable,
  summariseCoverage,
} from "./calibration/summary.ts";
export { type Journal, openJournal } from "./journal.ts";
export {
  type KnockoffRequest,
  type KnockoffResult,
  runKnockoffCell,
} from "./selection/knockoff-cell.ts";
export { type NullRequest, type NullResult, runNullCell } from "./selection/null-cell.ts";
export { selectionPage } from "./selection/page.ts";
export { selectionRequests } from "./selection/requests.ts";
export {
  distanceFromUniform,
  nullTable,
  type SelectionSummary,
  selectionTable,
  summariseSelection,
} from "./selection/summary.ts";
export { barsTable } from "./simulation/bars.ts";
export {
  type CellRequest,
  type CellResult,
  type RankingAreas,
  runCell,
} from "./simulation/cell.ts";
export { areasFigure } from "./simulation/figure.ts";
export { type CellSummary, summarise, summaryTable } from "./simulation/summary.ts";
export { simulationCell } from "./simulation/task.ts";
export { studies } from "./study/catalog.ts";
export { type DataFolder, type DataName, dataFolder } from "./study/data-folder.ts";
export {
  findingsText,
  kindText,
  numbersPart,
  numberText,
  recordPart,
  studyPage,
  wordsText,
} from "./study/page.ts";
export {
  type RunStudyOptions,
  runStudy,
  type StudyDocument,
  type StudyRun,
} from "./study/run-study.ts";
export type {
  Bar,
  Finding,
  Study,
  StudyContext,
  StudyFigure,
  StudyReport,
  StudyTable,
} from "./study/study.ts";
export { studyTaskKinds } from "./task-kinds.ts";
