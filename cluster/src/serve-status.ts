import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { RatewiseError } from "@ratewise/core";
import { metricsText, storeStatus } from "./metrics.ts";
import { statusPage } from "./status-page.ts";
import type { Store } from "./store.ts";

export interface StatusServer {
  readonly address: string;
  close(): Promise<void>;
}

/** Serves `/` (a page), `/status.json` and `/metrics` of a store; read only. On loopback unless told otherwise: it has no passwords. */
export async function serveStatus(
  store: Store,
  { port = 0, host = "127.0.0.1" }: { readonly port?: number; readonly host?: string } = {},
): Promise<StatusServer> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string): void => {
      response.writeHead(status, {
        "content-type": `${type}; charset=utf-8`,
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
        "x-content-type-options": "nosniff",
      });
      response.end(body);
    };
    const serve = async (): Promise<void> => {
      if (request.method !== "GET") return answer(405, "text/plain", "only GET\n");
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      if (pathname === "/")
        return answer(200, "text/html", statusPage(await storeStatus(store), store.location));
      if (pathname === "/metrics")
        return answer(200, "text/plain; version=0.0.4", metricsText(await storeStatus(store)));
      if (pathname === "/status.json")
        return answer(200, "application/json", `${JSON.stringify(await storeStatus(store))}\n`);
      return answer(404, "text/plain", "there are /, /status.json and /metrics\n");
    };
    serve().catch((error: Error) => answer(500, "text/plain", `${error.message}\n`));
  });
  await new Promise<void>((resolve, reject) => {
    server.on("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? `the port ${port} is taken; choose another, or 0 for any that is free`
          : error.message;
      reject(new RatewiseError("worker", { at: "status page", what: why, port, cause: error }));
    });
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(":") ? `[${host}]` : host}:${bound}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
