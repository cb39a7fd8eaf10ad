/**
 * Keeps the page's files, so that it opens without a network, and answers with the headers that a plain static host does not
 * send: those that forbid every other connection, and those that let threads share memory.
 */
interface Scope {
  readonly location: Location;
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: Lifetime) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetched) => void): void;
}
interface Lifetime {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetched {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** Written in by the build. */
const FILES = "__FILES__" as unknown as readonly string[];
const VERSION = "__VERSION__";

const scope = globalThis as unknown as Scope;
const CACHE = `ratewise-${VERSION}`;

/** The policy of index.html again: a worker takes its policy from its own answer, not from the page. */
const HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

scope.addEventListener("install", (event) => {
  const addresses = ["./", ...FILES].map((file) => new URL(file, scope.registration.scope).href);
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(addresses)));
});

scope.addEventListener("activate", (event) => {
  const clean = async (): Promise<void> => {
    for (const name of await caches.keys())
      if (name.startsWith("ratewise-") && name !== CACHE) await caches.delete(name);
    await scope.clients.claim();
  };
  event.waitUntil(clean());
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(scope.registration.scope))
    event.respondWith(answer(request));
});

/** From the cache, else from the network and into the cache. */
async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
  if (kept) return withHeaders(kept);
  const fetched = await fetch(request);
  if (fetched.ok) await cache.put(request, fetched.clone());
  return withHeaders(fetched);
}

function withHeaders(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  const { status, statusText, body } = response;
  return new Response(body, { status, statusText, headers });
}
