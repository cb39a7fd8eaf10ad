import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newCertificate } from "./support/certificate.ts";
import { sum } from "./support/kinds.js";
import { newStore, openRun, startWorker, temporaryFolder } from "./support/place.ts";
import { startPostgres } from "./support/postgres.ts";
import { stop } from "./support/processes.ts";
import { startRedis } from "./support/redis.ts";

const folder = temporaryFolder();
const tasks = [1, 2, 3].map((k) => sum.task({ values: Float64Array.of(k, k) }));

/** A server that speaks TLS alone, with a certificate of our own authority, and wants a password. */
interface SecureServer {
  readonly on: string;
  /** The same address without TLS. */
  readonly plain: string;
  readonly authority: string;
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

async function secureRedis(): Promise<SecureServer> {
  const { authority, certificate, key } = newCertificate(join(folder, "tls"));
  const { on, stop } = await startRedis(
    folder,
    [
      ...["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", authority],
      ...["--tls-auth-clients", "no", "--requirepass", "secret"],
    ],
    "rediss",
  );
  const environment = { RATEWISE_REDIS_PASSWORD: "secret" };
  return { on, plain: on.replace("rediss:", "redis:"), authority, environment, stop };
}

async function securePostgres(): Promise<SecureServer> {
  // In its own folder: it runs as another user.
  const certificate = newCertificate(join(postgresFolder, "tls"));
  const { on, environment, stop } = await startPostgres(postgresFolder, certificate);
  const { authority } = certificate;
  return { on, plain: on.replace(/\?.*/, ""), authority, environment, stop };
}
const postgresFolder = temporaryFolder();

describe.each([
  ["Redis", secureRedis],
  ["PostgreSQL", securePostgres],
])("TLS and a password with %s", (_, begin) => {
  let server: SecureServer;
  beforeAll(async () => {
    server = await begin();
  }, 60_000);
  afterAll(() => server.stop());

  test("from the environment: a run works, and keeps the password nowhere", async () => {
    const environment = { ...server.environment, RATEWISE_CA: server.authority };
    const store = newStore(folder);
    const worker = await startWorker({ on: server.on, store, environment });
    const { executor, finish } = await openRun(server.on, store, {
      environment: { ...process.env, ...environment },
    });
    expect(await executor.run(tasks)).toEqual([{ sum: 2 }, { sum: 4 }, { sum: 6 }]);
    await finish({ outcome: "done" });
    await stop(worker);
    for (const name of [...(await store.list("runs")), ...(await store.list("workers"))])
      expect(readFileSync(join(store.location, name), "latin1")).not.toContain("secret");
    expect(worker.output()).not.toContain("secret");
  });

  test("an authority that nobody named, a wrong password, and no TLS are refused at once, in words", async () => {
    const named = { ...server.environment, RATEWISE_CA: server.authority };
    const attempt = (on: string, environment: Readonly<Record<string, string>>) =>
      openRun(on, newStore(folder), { environment });
    await expect(attempt(server.on, server.environment)).rejects.toThrow(
      /its certificate does not pass .*; RATEWISE_CA names a file/,
    );
    const wrong = Object.fromEntries(
      Object.entries(named).map(([name, value]) => [name, value === "secret" ? "guess" : value]),
    );
    await expect(attempt(server.on, wrong)).rejects.toThrow(/password|WRONGPASS/i);
    await expect(attempt(server.plain, named)).rejects.toThrow(server.plain);
  });
});
