import { type ChildProcess, execFile, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { preview } from "vite";
import {
  type ExampleName,
  makeExample,
  noSettings,
  OWN_GROUPS,
  type Settings,
} from "../../../web/test/support/examples.ts";

const launcher = fileURLToPath(new URL("../../../cli/bin/ratewise.mjs", import.meta.url));
const built = fileURLToPath(new URL("../../../cli/dist/page", import.meta.url));

export interface Served {
  readonly address: string;
  close(): Promise<void>;
}

/** `ratewise app`: with the headers that threads need. */
export async function serveApp(): Promise<Served> {
  const child: ChildProcess = spawn(process.execPath, [launcher, "app", "--json"]);
  let out = "";
  for await (const piece of child.stdout!) {
    out += piece;
    if (out.includes("\n")) break;
  }
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  return {
    address: (JSON.parse(out) as { address: string }).address,
    close: async () => {
      child.kill("SIGINT");
      await ended;
    },
  };
}

/** A static host that knows nothing of headers. */
export async function servePlain(): Promise<Served> {
  const server = await preview({
    root: built,
    configFile: false,
    logLevel: "error",
    build: { outDir: built },
    preview: { host: "127.0.0.1", port: 0 },
  });
  return { address: server.resolvedUrls!.local[0], close: () => server.close() };
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Uncaught errors, console errors, dialogs, and requests to anywhere else. */
  readonly troubles: string[];
  /** Types of the questions that the browser asked before the page was left; each was answered with yes. */
  readonly asked: string[];
}

/** Opens the page in a browser profile of its own. */
export async function visit(browser: Browser, address: string, options = {}): Promise<Visit> {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(message.text());
  });
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    if (dialog.type() === "beforeunload") {
      asked.push(dialog.type());
      void dialog.accept();
      return;
    }
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(data|blob):/.test(url)) troubles.push(`request: ${url}`);
  });
  await page.goto(address);
  await page.waitForSelector("#drop-title");
  return { context, page, troubles, asked };
}

const titles: Readonly<Record<ExampleName, string>> = {
  table: "A simulated trial",
  digits: "Drawn digits",
  genotypes: "Simulated genotypes",
  network: "A trained network",
};

/** From the first screen to the choices. */
export async function openExample(page: Page, name: ExampleName): Promise<void> {
  await page.click(`.card:has-text("${titles[name]}")`);
  await page.waitForSelector("#run");
}

/** From the choices to the result. */
export async function runToResult(page: Page): Promise<void> {
  await page.click("#run");
  await page.waitForSelector(".result-title, #error", { timeout: 110_000 });
  const error = await page.$("#error");
  if (error) throw new Error(`the run ended with: ${await error.textContent()}`);
}

export async function show(page: Page, view: string): Promise<void> {
  await page.click(`.tabs button:text-is("${view}")`);
}

/** What the page hands to the browser's downloads. */
export async function saved(page: Page, file: string): Promise<Buffer> {
  await show(page, "Save");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.click(`[data-file="${file}"]`),
  ]);
  const pieces: Buffer[] = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Writes an example's files, as the command would find them; its choices. */
export async function writeExample(name: ExampleName, folder: string): Promise<Settings> {
  const { files, settings } = makeExample(name);
  const all = { ...noSettings, ...settings };
  const { groups } = all;
  const own = groups.kind === "own" ? [new File([JSON.stringify(groups.groups)], OWN_GROUPS)] : [];
  for (const file of [...files, ...own])
    writeFileSync(join(folder, file.name), new Uint8Array(await file.arrayBuffer()));
  return all;
}

/** What the command prints, or the line it ends with. */
export async function command(folder: string, ...words: readonly string[]): Promise<string> {
  const options = { cwd: folder, maxBuffer: 2 ** 28 };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [launcher, ...words], options);
    return stdout;
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}
