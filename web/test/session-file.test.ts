import type { CompareDocument, ExplainDocument } from "@ratewise/core/explain";
import { expect, test } from "vitest";
import { readSession, writeSession } from "../src/worker/session-file.ts";

test("a session that an earlier version saved opens with the names that methods have now", () => {
  const comparison = {
    methods: [{ name: "gradient-rate" }],
    variables: [{ name: "a", scores: { "gradient-rate": 1 }, ranks: {}, standardErrors: {} }],
    groups: [],
    shuffle: { curves: [] },
    diagnostics: [],
    options: {},
  } as unknown as CompareDocument;
  const saved = writeSession({
    document: { kind: "explain" } as ExplainDocument,
    comparison,
    model: null,
    ranking: null,
    places: [],
    beside: new Map(),
  });
  const opened = readSession(saved, "result.ratewise-session").comparison!;
  expect(opened.methods[0].name).toBe("gradient");
  expect(opened.variables[0].scores).toEqual({ gradient: 1 });
});
