import { connect } from "node:net";
import { freePort, program, type Started, start, stop, until } from "./processes.ts";

export interface RedisServer {
  readonly on: string;
  readonly port: number;
  readonly pid: () => number;
  /** kill -9. */
  kill(): Promise<void>;
  /** The same data again, at the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A redis-server of its own in `folder`, on loopback and a free port, with the settings a queue needs. */
export async function startRedis(
  folder: string,
  settings: readonly string[] = [],
  scheme = "redis",
): Promise<RedisServer> {
  const path = program("redis-server", "redis-server");
  const port = await freePort();
  const plain =
    scheme === "redis" ? ["--port", `${port}`] : ["--port", "0", "--tls-port", `${port}`];
  const launch = async (): Promise<Started> => {
    const server = start(path, [
      ...plain,
      ...["--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes"],
      ...["--maxmemory-policy", "noeviction", "--save", "", ...settings],
    ]);
    await until(`redis-server answers (${server.output()})`, () => answers(port));
    return server;
  };
  let server = await launch();
  return {
    on: `${scheme}://127.0.0.1:${port}`,
    port,
    pid: () => server.child.pid!,
    kill: () => stop(server, "SIGKILL"),
    restart: async () => {
      server = await launch();
    },
    stop: () => stop(server),
  };
}

export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
