export { rankDocument, rankDocumentText, variableRow } from "./rank-document.ts";
export {
  type GroupRow,
  type RankDocument,
  type RunRecord,
  type ScoreRow,
  schemaVersion,
  type VariableRow,
} from "./result.ts";
