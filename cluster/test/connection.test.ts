import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseEngine } from "../src/index.ts";
import { checkJob } from "../src/perform.ts";

describe("--on", () => {
  test("takes Redis and Valkey, credentials from the environment, TLS by the scheme", () => {
    expect(parseEngine("redis://queue.local", {})).toEqual({
      kind: "redis",
      on: "redis://queue.local",
      options: { host: "queue.local", port: 6379, db: 0 },
    });
    const environment = { RATEWISE_REDIS_USERNAME: "ann", RATEWISE_REDIS_PASSWORD: "secret" };
    expect(parseEngine("valkeys://queue.local:6380/2", environment)).toMatchObject({
      kind: "redis",
      options: {
        port: 6380,
        db: 2,
        username: "ann",
        password: "secret",
        tls: { servername: "queue.local" },
      },
    });
  });

  test("takes PostgreSQL, which verifies certificates whenever it encrypts", () => {
    const environment = { PGUSER: "ann", PGPASSWORD: "secret" };
    expect(parseEngine("postgres://db:5433/work", environment)).toEqual({
      kind: "postgres",
      on: "postgres://db:5433/work",
      options: { host: "db", port: 5433, database: "work", user: "ann", password: "secret" },
    });
    expect(parseEngine("postgres://db/work?sslmode=require", environment)).toMatchObject({
      options: { ssl: { rejectUnauthorized: true, servername: "db" } },
    });
  });

  test("takes further authorities from a file", () => {
    const path = fileURLToPath(import.meta.url);
    const { options } = parseEngine("rediss://q", { RATEWISE_CA: path }) as {
      options: { tls: { ca: string } };
    };
    expect(options.tls.ca).toContain("takes further authorities");
    expect(() => parseEngine("rediss://q", { RATEWISE_CA: "/nowhere.pem" })).toThrow(
      "RATEWISE_CA: /nowhere.pem cannot be read",
    );
  });

  test.each(["redis://ann:secret@q", "rediss://:secret@q", "postgres://ann:secret@db/x"])(
    "refuses credentials in %s, and does not repeat them",
    (on) => {
      expect(() => parseEngine(on, {})).toThrow("without user and password");
      expect(() => parseEngine(on, {})).not.toThrow("secret");
    },
  );

  test.each(["redis", "http://x", "redis://q/zero", "slurm://x", ""])(
    "refuses %j with what there is",
    (on) => {
      expect(() => parseEngine(on, {})).toThrow("--on needs local, redis://");
    },
  );

  test("refuses to go on without TLS where it was asked for in half", () => {
    expect(() => parseEngine("postgres://db/x?sslmode=prefer", {})).toThrow(
      '--on needs sslmode=disable, require, verify-ca, verify-full, got "prefer"',
    );
  });
});

describe("a job", () => {
  const job = {
    format: 1,
    run: "0123456789ab",
    id: "f".repeat(64),
    kind: "fit-member",
    version: "1.0.0",
  };
  test("that is right passes", () => {
    expect(checkJob(job, "1.0.0")).toEqual(job);
    expect(checkJob({ ...job, engine: "plain" }, "1.0.0").engine).toBe("plain");
  });

  test.each([
    [null],
    [undefined],
    ["text"],
    [{ ...job, format: 2 }],
    [{ ...job, run: "../../../etc" }],
    [{ ...job, run: 12 }],
    [{ ...job, id: `${"f".repeat(63)}/` }],
    [{ ...job, id: ["f".repeat(64)] }],
    [{ ...job, kind: "a b" }],
    [{ ...job, engine: "../x" }],
    [{ ...job, version: "1.0.1" }],
    [{ ...job, version: undefined }],
  ])("that is %j does not", (data) => {
    expect(() => checkJob(data, "1.0.0")).toThrow("is not a task of ratewise");
  });
});
