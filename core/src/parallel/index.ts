export type { ExecuteOptions, Executor } from "./executor.ts";
export { inlineExecutor } from "./inline.ts";
export { type PoolOptions, WorkerPool } from "./pool.ts";
export type { Lease, ResidentKind, Seat } from "./resident.ts";
export { closeWorkers, leaseWorkers, type RunTasksOptions, runTasks } from "./run-tasks.ts";
export { type Served, serve } from "./serve.ts";
export { defineTask, type TaskContext, type TaskData, type TaskKind } from "./task.ts";
export { taskId } from "./task-id.ts";
export { workersHere } from "./workers-here.ts";
