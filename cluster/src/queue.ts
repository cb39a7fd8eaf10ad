import { connect, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { RatewiseError } from "@ratewise/core";
import type { Job, Queue, QueueEvents, Worker, WorkerOptions } from "bullmq";
import { queueClient } from "./clients.ts";
import type { Engine } from "./connection.ts";
import type { JobData } from "./perform.ts";

export type QueueEngine = Exclude<Engine, { kind: "slurm" }>;

/** Waits between tries to reach a server that is away, ms. */
const RETRY_MS = { least: 100, most: 2000 };
/** How long a server may take to answer at the start; later it may take as long as it likes. */
const FIRST_ANSWER_MS = 10_000;
const CLOSE_MS = 1000;

/** Making the tables is safe to do by many at once. */
function postgresConnection({ options }: Extract<QueueEngine, { kind: "postgres" }>) {
  return { ...options, migrate: true };
}

function redisConnection({ options }: Extract<QueueEngine, { kind: "redis" }>) {
  return {
    ...options,
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(RETRY_MS.least * times, RETRY_MS.most),
  };
}

/** `sockets`: where those of a PostgreSQL client are put down, for whoever has to end them himself. */
export async function openQueue(
  engine: QueueEngine,
  name: string,
  sockets: Socket[] = [],
): Promise<Queue<JobData>> {
  const { Queue, createPostgresBackend } = await queueClient(engine);
  if (engine.kind === "redis") return new Queue(name, { connection: redisConnection(engine) });
  const stream = (): Socket => {
    sockets.push(new Socket());
    return sockets[sockets.length - 1];
  };
  const connection = { ...postgresConnection(engine), stream };
  return new Queue(name, { connection }, createPostgresBackend) as unknown as Queue<JobData>;
}

export async function openEvents(engine: QueueEngine, name: string): Promise<QueueEvents> {
  const { QueueEvents, createPostgresBackend } = await queueClient(engine);
  if (engine.kind === "redis")
    return new QueueEvents(name, { connection: redisConnection(engine) });
  const connection = postgresConnection(engine);
  return new QueueEvents(name, { connection }, createPostgresBackend) as unknown as QueueEvents;
}

export async function openWorker(
  engine: QueueEngine,
  name: string,
  process: (job: Job<JobData>, token?: string) => Promise<unknown>,
  options: Omit<WorkerOptions, "connection">,
): Promise<Worker<JobData>> {
  const { Worker, createPostgresBackend } = await queueClient(engine);
  if (engine.kind === "redis")
    return new Worker(name, process, { ...options, connection: redisConnection(engine) });
  const connection = postgresConnection(engine);
  return new Worker(
    name,
    process as never,
    { ...options, connection },
    createPostgresBackend,
  ) as unknown as Worker<JobData>;
}

/**
 * Whether an error says that the server cannot be reached now: of the socket, or of PostgreSQL while it starts or ends (class 08, 57P01 to 57P03;
 * https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
export function isAway(error: Error): boolean {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return (
    /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|57P0[123])$/.test(
      code,
    ) || /connection (terminated|timeout|is closed)|timeout exceeded/i.test(message)
  );
}

/** Says now, in words, when nobody answers at the address, or does not let us in; makes the tables of a queue where they are missing. */
export async function reach(engine: QueueEngine, name: string): Promise<void> {
  await queueClient(engine); // a client that is missing is said before a server that is away
  const { host, port } = engine.options;
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port, timeout: FIRST_ANSWER_MS });
    const refuse = (why: string): void => {
      socket.destroy();
      reject(
        new RatewiseError("worker", {
          at: engine.on,
          what: `nobody answers there (${why})`,
          advice: "is it running?",
        }),
      );
    };
    socket.on("connect", () => {
      socket.destroy();
      resolve();
    });
    socket.on("timeout", () => refuse("no answer"));
    socket.on("error", (error: NodeJS.ErrnoException) => refuse(error.code ?? error.message));
  });
  // The first to connect makes the tables of a PostgreSQL queue, and learns whether it is let in.
  const sockets: Socket[] = [];
  const queue = await openQueue(engine, name, sockets);
  let refused: Error | undefined;
  queue.on("error", (error) => {
    refused ??= error;
  });
  const patience = new Promise<never>((_, reject) => {
    const look = setInterval(() => {
      if (!refused) return;
      clearInterval(look);
      reject(refused);
    }, 50);
    look.unref();
  });
  try {
    await Promise.race([queue.waitUntilReady(), patience]);
  } catch (error) {
    const { message } = error as Error;
    throw new RatewiseError("worker", {
      at: engine.on,
      what: notLetIn(engine, message) ?? message,
    });
  } finally {
    await Promise.race([queue.close().catch(() => {}), sleep(CLOSE_MS, undefined, { ref: false })]);
    // PostgreSQL's client keeps a connection that was refused until the server ends it, a minute later.
    for (const socket of sockets) socket.destroy();
  }
}

/** What to do where a server and we do not trust each other. */
function notLetIn({ kind }: QueueEngine, message: string): string | undefined {
  if (/certificate/i.test(message))
    return `its certificate does not pass (${message}); RATEWISE_CA names a file with the authority that signed it`;
  if (kind === "redis" && /NOAUTH|WRONGPASS|invalid password/i.test(message))
    return `the server does not let us in (${message.split(" ", 1)[0]}); set RATEWISE_REDIS_PASSWORD in the environment, and RATEWISE_REDIS_USERNAME if the server has users`;
  if (kind === "postgres" && /pg_hba/.test(message))
    return `the server does not let us in (${message}); its pg_hba.conf must name this machine; if it requires TLS, the address must end in ?sslmode=verify-full`;
  if (kind === "postgres" && /password|SASL|role .* does not exist/i.test(message))
    return `the server does not let us in (${message}); set PGUSER and PGPASSWORD in the environment`;
  return undefined;
}
