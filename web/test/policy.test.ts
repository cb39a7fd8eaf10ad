import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const policyIn = (path: string): string => /default-src 'none'[^"]*/.exec(read(path))![0];

test("the page, the service worker and the command's server have one policy", () => {
  const page = policyIn("web/index.html");
  // Only a header can say who may frame the page.
  const answered = `${page}; frame-ancestors 'none'`;
  expect(policyIn("web/src/service-worker.ts")).toBe(answered);
  expect(policyIn("cli/src/commands/page-server.ts")).toBe(answered);
});

test("the policy lets the page reach its own origin and nothing else", () => {
  const rules = policyIn("web/index.html").split("; ");
  const sources = rules.flatMap((rule) => rule.split(" ").slice(1));
  expect(rules).toContain("connect-src 'self'");
  expect(new Set(sources)).toEqual(
    new Set(["'none'", "'self'", "'wasm-unsafe-eval'", "'unsafe-inline'", "data:", "blob:"]),
  );
  expect(rules.filter((rule) => rule.includes("'unsafe-inline'"))).toEqual([
    "style-src-attr 'unsafe-inline'",
  ]);
});
