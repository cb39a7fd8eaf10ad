import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createServer } from "node:net";

/** A port of loopback that nobody has. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** The path of a program; fails with what to install. */
export function program(
  name: string,
  debianPackage: string,
  folders: readonly string[] = [],
): string {
  const path = [process.env.PATH, "/usr/sbin", "/sbin", ...folders].join(":");
  try {
    return execFileSync("/bin/sh", ["-c", `PATH='${path}' command -v ${name}`], {
      encoding: "utf8",
    }).trim();
  } catch {
    throw new Error(
      `npm run test:cluster needs ${name}: apt-get install -y --no-install-recommends ${debianPackage}`,
    );
  }
}

export interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
}

/** Starts a program that stays, with all it prints kept for the error that says why it did not come up. */
export function start(
  path: string,
  parameters: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly uid?: number; readonly gid?: number } = {},
): Started {
  let output = "";
  const child = spawn(path, [...parameters], { stdio: ["ignore", "pipe", "pipe"], ...options });
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
  child.on("error", (error) => {
    output += error.message;
  });
  return { child, output: () => output };
}

/** Ends a program that was started here and waits until it is gone. */
export async function stop({ child }: Started, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill(signal);
  if (signal !== "SIGKILL") {
    const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await gone;
    clearTimeout(timer);
  } else await gone;
}

/** Waits until `condition` gives something; fails with `what` after `seconds`. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  seconds = 30,
): Promise<T> {
  const end = performance.now() + 1000 * seconds;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`after ${seconds} s still not: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
