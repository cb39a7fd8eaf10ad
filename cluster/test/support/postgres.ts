import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { freePort, program, type Started, start, stop, until } from "./processes.ts";
import { answers } from "./redis.ts";

export interface PostgresServer {
  readonly on: string;
  readonly environment: Readonly<Record<string, string>>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A PostgreSQL of its own in `folder`, on loopback and a free port. As root it runs as the user postgres, which it insists on. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const versions = "/usr/lib/postgresql";
  const folders = readFolders(versions).map((version) => join(versions, version, "bin"));
  const initdb = program("initdb", "postgresql", folders);
  const postgres = program("postgres", "postgresql", folders);
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
      ],
      owner,
    );
    await until("postgres answers", () => answers(port));
    await until("postgres is ready", () => /ready to accept connections/.test(server.output()));
    return server;
  };
  let server = await launch();
  return {
    on: `postgres://127.0.0.1:${port}/postgres`,
    environment: { PGUSER: "ratewise", PGPASSWORD: "secret" },
    kill: () => stop(server, "SIGKILL"),
    restart: async () => {
      server = await launch();
    },
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
