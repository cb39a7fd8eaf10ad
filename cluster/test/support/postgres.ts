import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "./certificate.ts";
import { freePort, program, type Started, start, stop, until } from "./processes.ts";
import { answers } from "./redis.ts";

export interface PostgresServer {
  readonly on: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly pid: () => number;
  /** kill -9. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** What psql prints, a line a row. */
  query(sql: string): string[];
  stop(): Promise<void>;
}

/**
 * A PostgreSQL of its own in `folder`, on loopback and a free port, with a certificate over TLS alone. As root it runs as the user postgres, which
 * it insists on.
 */
export async function startPostgres(folder: string, tls?: Certificate): Promise<PostgresServer> {
  const versions = "/usr/lib/postgresql";
  const folders = readFolders(versions).map((version) => join(versions, version, "bin"));
  const initdb = program("initdb", "postgresql", folders);
  const postgres = program("postgres", "postgresql", folders);
  const psql = program("psql", "postgresql", folders);
  const port = await freePort();
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  const user = process.getuid?.() === 0 ? userIds("postgres") : undefined;
  if (user) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  const owner = user ?? {};
  const password = join(folder, "password");
  execFileSync("/bin/sh", ["-c", `umask 077; printf secret > '${password}'`], owner);
  execFileSync(
    initdb,
    ["-D", data, "-U", "ratewise", "-A", "scram-sha-256", `--pwfile=${password}`, "--no-sync"],
    { ...owner, stdio: "pipe" },
  );
  const settings: string[] = [];
  if (tls) {
    if (user) chownSync(tls.key, user.uid, user.gid);
    settings.push("-c", "ssl=on", "-c", `ssl_cert_file=${tls.certificate}`);
    settings.push("-c", `ssl_key_file=${tls.key}`);
    writeFileSync(join(data, "pg_hba.conf"), "hostssl all all 127.0.0.1/32 scram-sha-256\n");
  }
  const launch = async (): Promise<Started> => {
    const server = start(
      postgres,
      [
        "-D",
        data,
        "-p",
        `${port}`,
        "-c",
        "listen_addresses=127.0.0.1",
        "-k",
        folder,
        "-c",
        "max_connections=200",
        ...settings,
      ],
      owner,
    );
    await until("postgres answers", () => {
      if (server.child.exitCode !== null) throw new Error(server.output());
      return answers(port);
    });
    await until("postgres is ready", () => /ready to accept connections/.test(server.output()));
    return server;
  };
  let server = await launch();
  return {
    on: `postgres://127.0.0.1:${port}/postgres${tls ? "?sslmode=verify-full" : ""}`,
    pid: () => server.child.pid!,
    environment: { PGUSER: "ratewise", PGPASSWORD: "secret" },
    kill: () => stop(server, "SIGKILL"),
    restart: async () => {
      server = await launch();
    },
    query: (sql) =>
      execFileSync(psql, ["-h", "127.0.0.1", "-p", `${port}`, "-d", "postgres", "-Atc", sql], {
        env: { ...process.env, PGUSER: "ratewise", PGPASSWORD: "secret" },
        encoding: "utf8",
      })
        .trim()
        .split("\n"),
    stop: () => stop(server, "SIGINT"),
  };
}

function readFolders(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function userIds(user: string): { uid: number; gid: number } {
  const id = (flag: string): number =>
    Number(execFileSync("id", [flag, user], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
