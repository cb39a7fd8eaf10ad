export { contentHash } from "./content-hash.ts";
export type { ExecuteOptions, Executor } from "./executor.ts";
export { inlineExecutor } from "./inline.ts";
export { type PoolOptions, WorkerPool } from "./pool.ts";
export type { Lease, ResidentKind, Seat } from "./resident.ts";
export {
  closeWorkers,
  executorInUse,
  leaseWorkers,
  type RunTasksOptions,
  runTasks,
  useExecutor,
} from "./run-tasks.ts";
export { type Served, serve } from "./serve.ts";
export { defineTask, type TaskContext, type TaskData, type TaskKind } from "./task.ts";
export { type ErrorRecord, recordError, taskError } from "./task-error.ts";
export { taskId } from "./task-id.ts";
export { shareOf, TaskProgress } from "./task-progress.ts";
export { enterWorker, workersHere } from "./workers-here.ts";
