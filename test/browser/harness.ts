import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { build, preview } from "vite";

/** Debian's browser, or the one that CHROMIUM names. */
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export async function launchBrowser(): Promise<Browser> {
  if (!existsSync(executablePath))
    throw new Error(
      `test:browser needs ${executablePath}, which is not there: apt-get install chromium, or set CHROMIUM to the path of one`,
    );
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** What lets a page have SharedArrayBuffer, and so threads over one memory. */
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

export interface Site {
  /** Served with the headers of cross-origin isolation, and without. */
  readonly isolated: string;
  readonly plain: string;
  close(): Promise<void>;
}

/** Bundles the page in `folder` (its index.html) as users' bundlers do, and serves it on this machine. */
export async function serveSite(folder: string): Promise<Site> {
  const outDir = await mkdtemp(join(tmpdir(), "ratewise-site-"));
  const root = { root: folder, configFile: false, logLevel: "warn" } as const;
  await build({
    ...root,
    base: "./",
    build: { outDir, emptyOutDir: true, target: "es2023" },
    worker: { format: "es" },
  });
  const serve = (headers: Record<string, string>) =>
    preview({ ...root, build: { outDir }, preview: { host: "127.0.0.1", port: 0, headers } });
  const servers = [await serve(isolation), await serve({})];
  const [isolated, plain] = servers.map(({ resolvedUrls }) => resolvedUrls!.local[0]);
  return {
    isolated,
    plain,
    async close() {
      for (const server of servers) await server.close();
      await rm(outDir, { recursive: true });
    },
  };
}

/** Opens a page; `errors` collects what goes wrong in it unseen. */
export async function openPage(
  browser: Browser,
  address: string,
): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(address);
  return { page, errors };
}
