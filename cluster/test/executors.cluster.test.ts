import {
  explain,
  fold,
  keyFromSeed,
  matrix,
  normals,
  type Table,
  table,
  useExecutor,
} from "@ratewise/core";
import { effectsOfColumnBlocks, safeJson } from "@ratewise/core/explain";
import { searchSettings } from "@ratewise/core/learners";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClusterRun, runStatus, type Store } from "../src/index.ts";
import { newStore, openRun, startWorker, temporaryFolder } from "./support/place.ts";
import { startPostgres } from "./support/postgres.ts";
import { type Started, stop } from "./support/processes.ts";
import { startRedis } from "./support/redis.ts";
import { startSlurm } from "./support/slurm.ts";

const folder = temporaryFolder();

/** y depends on two of five columns. */
function exampleTable(): Table {
  const normal = normals(fold(keyFromSeed(1), "table"));
  const columns = Array.from({ length: 5 }, () => Float64Array.from({ length: 200 }, normal));
  const y = columns[0].map((x, i) => 2 * x - columns[1][i] + 0.5 * normal());
  return table([
    ...columns.map((values, j) => ({ kind: "number" as const, name: `x${j}`, values })),
    { kind: "number", name: "y", values: y },
  ]);
}

/** All that runs on executors: an ensemble, nulls by refits, a search, effects by blocks of columns. */
async function everything(): Promise<string> {
  const source = exampleTable();
  const ensemble = await explain(source, { target: "y", ensemble: 3, hidden: [4] });
  const nulls = await explain(source, {
    target: "y",
    recipe: "paper",
    hidden: [3],
    select: { fdr: 0.2, by: "permutation", refit: true, permutations: 4 },
  });
  const normal = normals(fold(keyFromSeed(2), "rows"));
  const X = matrix(300, 6, Float64Array.from({ length: 1800 }, normal));
  const y = Float64Array.from({ length: 300 }, (_, i) => X.data[6 * i] + 0.3 * normal());
  const search = await searchSettings("boosting", X, y, {
    key: keyFromSeed(3),
    task: { kind: "regression" },
    candidates: 2,
    folds: 2,
  });
  const hidden = matrix(2000, 8, Float64Array.from({ length: 16_000 }, normal));
  const blocks = [3, 1, 4].map((cols) =>
    matrix(2000, cols, Float64Array.from({ length: 2000 * cols }, normal)),
  );
  const mean = Float64Array.from({ length: 8 }, normal);
  const effects = await effectsOfColumnBlocks(blocks, hidden, {
    mean,
    covariance: mean.map((m) => m ** 2 + 1),
  });
  return safeJson([ensemble.document, nulls.document, search, effects]);
}

let expected: string;
beforeAll(async () => {
  expected = await everything();
}, 120_000);

async function onCluster(clusterRun: ClusterRun): Promise<string> {
  useExecutor(clusterRun.executor);
  try {
    return await everything();
  } finally {
    useExecutor();
    await clusterRun.finish({ outcome: "done" });
  }
}

async function withWorkers(
  on: string,
  store: Store,
  count: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const workers: Started[] = [];
  for (let k = 0; k < count; k++)
    workers.push(await startWorker({ on, store, own: true, environment }));
  try {
    const clusterRun = await openRun(on, store, {
      environment: { ...process.env, ...environment },
    });
    const answer = await onCluster(clusterRun);
    const { tasks, state, workers: seen } = await runStatus(store, clusterRun.run);
    expect(state).toBe("done");
    // Three members, a network with its observed and four permuted responses, four folds, three blocks.
    expect(tasks.asked).toBe(3 + 6 + 4 + 3);
    expect([tasks.done, tasks.failed]).toEqual([tasks.asked, 0]);
    expect(seen.length).toBe(count);
    return answer;
  } finally {
    for (const worker of workers) await stop(worker);
  }
}

describe("ensembles, nulls, search and blocks of columns give the same bytes as on threads", () => {
  describe("on Redis", () => {
    let redis: Awaited<ReturnType<typeof startRedis>>;
    beforeAll(async () => {
      redis = await startRedis(folder);
    });
    afterAll(() => redis.stop());

    test.each([1, 2, 4])("with %i workers", async (count) => {
      expect(await withWorkers(redis.on, newStore(folder), count)).toBe(expected);
    });
  });

  test("on PostgreSQL, with 3 workers", async () => {
    const postgres = await startPostgres(temporaryFolderNow());
    try {
      expect(await withWorkers(postgres.on, newStore(folder), 3, postgres.environment)).toBe(
        expected,
      );
    } finally {
      await postgres.stop();
    }
  });

  test("on Slurm, with two nodes", async () => {
    const slurm = await startSlurm(temporaryFolderNow());
    Object.assign(process.env, slurm.environment);
    try {
      const store = newStore(folder);
      const clusterRun = await openRun("slurm", store);
      expect(await onCluster(clusterRun)).toBe(expected);
      const { tasks } = await runStatus(store, clusterRun.run);
      expect(tasks.done).toBe(tasks.asked);
    } finally {
      await slurm.stop();
      delete process.env.SLURM_CONF;
    }
  });
});

function temporaryFolderNow(): string {
  return folders.shift()!;
}
const folders = [temporaryFolder(), temporaryFolder()];
