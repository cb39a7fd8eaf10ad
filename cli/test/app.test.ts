import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageFolder } from "../src/commands/app.ts";
import { type PageServer, servePage } from "../src/commands/page-server.ts";
import { run, temporaryFolder } from "./support/run.ts";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** As it stands: `fetch` would tidy the path, and sets the host by itself. */
function ask(address: string, path: string, options: object = {}): Promise<Answer> {
  const { port } = new URL(address);
  return new Promise((done, fail) => {
    const sent = request({ host: "127.0.0.1", port, path, ...options }, (response) => {
      let body = "";
      response.on("data", (piece) => {
        body += piece;
      });
      response.on("end", () =>
        done({ status: response.statusCode!, headers: response.headers, body }),
      );
    });
    sent.on("error", fail);
    sent.end();
  });
}

describe("the server of the page", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage(pageFolder(), 0);
  });
  afterAll(() => server.close());

  test("gives the page with the headers that threads need and a policy against any other connection", async () => {
    const { status, headers, body } = await ask(server.address, "/");
    expect(status).toBe(200);
    expect(body).toMatch(/^<!doctype html>/);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
      "content-security-policy": expect.stringContaining("connect-src 'self'"),
    });
  });

  test("gives every file of the page by its name, with its kind", async () => {
    const { body } = await ask(server.address, "/");
    const [, script] = /src="\.(\/assets\/[^"]+\.js)"/.exec(body)!;
    const { status, headers } = await ask(server.address, script);
    expect([status, headers["content-type"]]).toEqual([200, "text/javascript; charset=utf-8"]);
  });

  test.each([
    "/nothing.js",
    "/../commands/app.js",
    "/%2e%2e/commands/app.js",
    "/..%2fcommands%2fapp.js",
    "/assets/../../main.js",
    "/%00.js",
    "/assets",
  ])("gives nothing for %s", async (path) => {
    expect((await ask(server.address, path)).status).toBe(404);
  });

  test("refuses broken addresses, other methods, and pages that point another name at it", async () => {
    expect((await ask(server.address, "/%zz")).status).toBe(400);
    expect((await ask(server.address, "/", { method: "POST" })).status).toBe(405);
    const headers = { host: "evil.example" };
    expect((await ask(server.address, "/", { headers })).status).toBe(403);
  });

  test("says that a port is taken", async () => {
    const port = Number(new URL(server.address).port);
    await expect(servePage(pageFolder(), port)).rejects.toThrow(`app: the port ${port} is taken`);
  });
});

describe("ratewise app", () => {
  const folder = temporaryFolder();

  test("prints where the page is, and ends when it is interrupted", async () => {
    const launcher = resolve(import.meta.dirname, "../bin/ratewise.mjs");
    const child = spawn(process.execPath, [launcher, "app", "--json"]);
    let out = "";
    const ended = new Promise((done) => child.on("exit", done));
    for await (const piece of child.stdout) {
      out += piece;
      if (out.includes("\n")) break;
    }
    const { kind, address } = JSON.parse(out);
    expect(kind).toBe("app");
    expect((await ask(address, "/")).status).toBe(200);
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });

  test("writes the page for any web server, and nothing over somebody's files", async () => {
    const out = join(folder, "site");
    const { code, err } = await run(["app", "--out", out]);
    expect([code, err]).toEqual([0, expect.stringMatching(/wrote \d+ files of the page to /)]);
    expect(readFileSync(join(out, "index.html"), "utf8")).toContain("Content-Security-Policy");
    expect(existsSync(join(out, "service-worker.js"))).toBe(true);
    writeFileSync(join(folder, "note.txt"), "mine");
    const refused = await run(["app", "--out", folder]);
    expect(refused.code).toBe(1);
    expect(readdirSync(folder).toSorted()).toEqual(["note.txt", "site"]);
  });

  test.each([
    [["--port", "0"], "--port needs a whole number from 1 to 65535"],
    [["--port", "many"], "--port needs a whole number from 1 to 65535"],
    [["data.csv"], 'takes no files, got "data.csv"; drop them on the page'],
  ])("refuses %j", async (words, message) => {
    const { code, err } = await run(["app", ...words]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
