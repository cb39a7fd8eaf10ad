import { createRequire } from "node:module";
import { RatewiseError } from "@ratewise/core";

const { resolve } = createRequire(import.meta.url);

interface Queue {
  readonly kind: "redis" | "postgres";
  /** As `--on` says it. */
  readonly on: string;
}

/** Clients are optional peers, since most who install ratewise work on one machine. */
export async function queueClient({ kind, on }: Queue): Promise<typeof import("bullmq")> {
  // BullMQ loads the server's client by itself, too late for a message that says what to do.
  needPackages(`--on ${on}`, ["bullmq@6", kind === "redis" ? "ioredis@6" : "pg@8"]);
  return import("bullmq");
}

/** The client of buckets, for the store at `location`. */
export async function bucketClient(location: string): Promise<typeof import("aws4fetch")> {
  needPackages(`--store ${location}`, ["aws4fetch@1"]);
  return import("aws4fetch");
}

function needPackages(where: string, packages: readonly string[]): void {
  const names = packages.map((name) => name.split("@", 1)[0]);
  if (names.every(isInstalled)) return;
  const needed = `${names.length > 1 ? "packages" : "package"} ${names.join(" and ")}`;
  throw new RatewiseError("engine", {
    what: `${where} needs the npm ${needed}, not installed here`,
    advice: `run: npm install ${packages.join(" ")}`,
    packages,
  });
}

function isInstalled(name: string): boolean {
  try {
    resolve(name);
    return true;
  } catch {
    return false;
  }
}
