export { type AttemptRecord, type FailureRecord, readAttempts } from "./attempt.ts";
export { type BedEffectsOptions, effectsOfBedFile } from "./bed-block.ts";
export {
  type ClusterRun,
  type ClusterRunOptions,
  cancelRun,
  openClusterRun,
} from "./cluster-run.ts";
export { type Engine, parseEngine } from "./connection.ts";
export { folderStore } from "./folder-store.ts";
export { readWorkers, type WorkerRecord } from "./heartbeat.ts";
export { jsonLog, type Log } from "./log.ts";
export { metricsText, type StoreStatus, storeStatus } from "./metrics.ts";
export { type Environment, openStore } from "./open-store.ts";
export { submitPilots } from "./pilots.ts";
export { listRuns, type RunEvent, type RunRecord, readRun } from "./run.ts";
export { type S3Options, s3Store } from "./s3-store.ts";
export { type StatusServer, serveStatus } from "./serve-status.ts";
export { serveTasks } from "./serve-tasks.ts";
export {
  type RefusalRecord,
  type RetriedTask,
  type RunStatus,
  readRefusals,
  runStatus,
} from "./status.ts";
export { statusPage } from "./status-page.ts";
export { reportLines, runText, storeText } from "./status-text.ts";
export type { Store } from "./store.ts";
export { runWorker, type WorkerSettings } from "./worker.ts";
