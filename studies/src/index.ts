export { simulationCell } from "./simulation/cell.ts";
export { studies } from "./study/catalog.ts";
export { type DataFolder, type DataName, dataFolder } from "./study/data-folder.ts";
export { findingsText, kindText, numberText, studyPage, wordsText } from "./study/page.ts";
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
