import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cancelRun, runStatus, serveStatus } from "../src/index.ts";
import { newStore, openRun, temporaryFolder } from "./support/place.ts";
import { type PostgresServer, startPostgres } from "./support/postgres.ts";
import { type RedisServer, startRedis } from "./support/redis.ts";

const program = fileURLToPath(new URL("../../cli/bin/ratewise.mjs", import.meta.url));
const folder = temporaryFolder();

function ratewise(argv: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(
      process.execPath,
      [program, ...argv],
      { cwd: folder, env: { ...process.env, ...environment } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

describe("a Redis that wants a password", () => {
  let redis: RedisServer;
  const knows = { ...process.env, RATEWISE_REDIS_PASSWORD: "secret" };
  beforeAll(async () => {
    redis = await startRedis(folder, ["--requirepass", "secret"]);
  });
  afterAll(() => redis.stop());

  test.each([
    ["without one", {}, "NOAUTH"],
    ["with a wrong one", { RATEWISE_REDIS_PASSWORD: "guess" }, "WRONGPASS"],
  ])("says which variable to set %s", async (_, environment, word) => {
    const opened = openRun(redis.on, newStore(folder), { environment });
    await expect(opened).rejects.toThrow(
      `${redis.on}: the server does not let us in (${word}); set RATEWISE_REDIS_PASSWORD`,
    );
  });

  test("lets nobody cancel without it, and the run goes on", async () => {
    const store = newStore(folder);
    const { run, finish } = await openRun(redis.on, store, { environment: knows });
    await expect(cancelRun(store, run, {})).rejects.toThrow("RATEWISE_REDIS_PASSWORD");
    const { state, events } = await runStatus(store, run);
    expect([state, events]).toEqual(["running", []]);
    expect((await cancelRun(store, run, knows)).state).toBe("cancelled");
    await finish({ outcome: "failed" });
  });
});

describe("a PostgreSQL that wants a password", () => {
  let postgres: PostgresServer;
  const postgresFolder = temporaryFolder();
  beforeAll(async () => {
    postgres = await startPostgres(postgresFolder);
  });
  afterAll(() => postgres.stop());

  // The client used to wait a minute for the connection that was refused.
  test.each([
    ["without one", { PGUSER: "ratewise", PGPASSWORD: "" }],
    ["with a wrong one", { PGUSER: "ratewise", PGPASSWORD: "guess" }],
    ["for a user it does not know", { PGUSER: "nobody", PGPASSWORD: "secret" }],
  ])(
    "says which variables to set %s, and the command ends",
    async (_, environment) => {
      const argv = ["worker", "--on", postgres.on, "--store", newStore(folder).location];
      const { code, err } = await ratewise(argv, environment);
      expect(code).toBe(1);
      expect(err).toContain(`${postgres.on}: the server does not let us in`);
      expect(err).toContain("set PGUSER and PGPASSWORD");
    },
    50_000,
  );
});

describe("a port of the status page that is taken", () => {
  test("is named, by a worker and by status", async () => {
    const taken = await serveStatus(newStore(folder));
    const { port } = new URL(taken.address);
    try {
      const redis = await startRedis(folder);
      const store = newStore(folder).location;
      for (const argv of [
        ["worker", "--on", redis.on, "--store", store, "--status", port],
        ["status", "--store", store, "--serve", port],
      ]) {
        const { code, err } = await ratewise(argv);
        expect([code, err]).toEqual([
          1,
          `ratewise: status page: the port ${port} is taken; choose another, or 0 for any that is free\n`,
        ]);
      }
      await redis.stop();
    } finally {
      await taken.close();
    }
  });
});

test("a store that cannot be written is told of as such", async () => {
  // A file where the store's folder should be.
  const { writeFileSync } = await import("node:fs");
  const path = join(folder, "no-folder");
  writeFileSync(path, "");
  const redis = await startRedis(folder);
  const { code, err } = await ratewise(["worker", "--on", redis.on, "--store", path]);
  expect(code).toBe(1);
  expect(err).toContain(`store: ${path} cannot be written (ENOTDIR`);
  await redis.stop();
});
