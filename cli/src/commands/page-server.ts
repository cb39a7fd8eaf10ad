import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { RatewiseError } from "@ratewise/core";

/** A running server of the page. */
export interface PageServer {
  readonly address: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

/** No other connection for the page and its workers; memory that threads can share; nothing from elsewhere. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** Names by which this machine calls itself: a page elsewhere that points its own name here gets nothing. */
const OWN_NAMES = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** Serves the files of `folder` to this machine alone, with the headers that threads need. */
export async function servePage(folder: string, port: number): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    if (!OWN_NAMES.test(headers.host ?? "")) return refuse(response, 403);
    if (method !== "GET" && method !== "HEAD") return refuse(response, 405);
    void answer(folder, url, method === "HEAD", response);
  });
  await listen(server, port);
  const { port: chosen } = server.address() as { readonly port: number };
  return {
    address: `http://127.0.0.1:${chosen}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  folder: string,
  url: string,
  headOnly: boolean,
  response: ServerResponse,
): Promise<void> {
  let path: string;
  try {
    path = normalize(decodeURIComponent(url.replace(/[?#].*$/, "")));
  } catch {
    return refuse(response, 400);
  }
  const file = join(folder, path.endsWith(sep) ? join(path, "index.html") : path);
  const type = TYPES[extname(file)];
  if (!file.startsWith(folder + sep) || path.includes("\0") || type === undefined)
    return refuse(response, 404);
  try {
    const bytes = await readFile(file);
    response.writeHead(200, {
      ...pageHeaders,
      "Content-Type": type,
      "Content-Length": bytes.length,
      "Cache-Control": "no-cache",
    });
    response.end(headOnly ? undefined : bytes);
  } catch {
    refuse(response, 404);
  }
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...pageHeaders, "Content-Type": "text/plain; charset=utf-8" });
  response.end(`${status}\n`);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? `the port ${port} is taken; choose another with --port, or leave the option out`
          : error.message;
      reject(new RatewiseError("file", { at: "app", what: why, port, cause: error }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}
