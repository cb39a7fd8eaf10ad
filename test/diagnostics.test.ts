import { type DiagnosticCode, diagnosticTable, type Severity } from "@ratewise/core/diagnostic";
import { parseSync, Visitor } from "vite";
import { describe, expect, test } from "vitest";
import { read, sourceTree } from "./support/repository.ts";

const codes = Object.keys(diagnosticTable) as DiagnosticCode[];
const sources = [...sourceTree().files].filter(([path]) => !path.includes("/test/"));

describe("every warning", () => {
  const made = new Set(
    sources.flatMap(([, text]) =>
      [...text.matchAll(/\bdiagnostic\(\s*"([a-z-]+)"/g)].map(([, code]) => code),
    ),
  );

  test("of the table is made somewhere", () => {
    expect(codes.filter((code) => !made.has(code))).toEqual([]);
    expect(codes.length).toBeGreaterThan(40);
  });

  test("has its line in docs/diagnostics.md, under its severity, and no other is there", () => {
    const sections = read("docs/diagnostics.md").split(/^## /m).slice(1);
    const documented = sections.flatMap((section) => {
      const severity = section.split("\n")[0]!.toLowerCase() as Severity;
      return [...section.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map(
        ([, code, meaning]) => [code!, severity, meaning!] as const,
      );
    });
    expect(documented.map(([code, severity]) => `${code}: ${severity}`).sort()).toEqual(
      codes.map((code) => `${code}: ${diagnosticTable[code].severity}`).sort(),
    );
    expect(documented.filter(([, , meaning]) => meaning.length < 20)).toEqual([]);
  });
});

describe("the command", () => {
  // What makes answers with warnings of the library.
  const makes =
    /\b(?:explain|explainTable|explainNetwork|estimatePower|compareTable|compareExplained|rate)\(\s*(?:await |asTable|data\.|explained|effects|network|table)/;
  const commands = sources.filter(([path]) => path.startsWith("cli/src/commands/"));

  test("tells every answer of the library in its own words", () => {
    const making = commands.filter(([, text]) => makes.test(text)).map(([path]) => path);
    // The answers of `stream` are told where its notes are added.
    const told = commands
      .filter(([, text]) => /\btold(?:<\w+>)?\(/.test(text))
      .map(([path]) => path);
    expect(making.length).toBeGreaterThan(6);
    expect(making.filter((path) => !told.includes(path) && !path.includes("/stream/"))).toEqual([]);
    expect(told).toContain("cli/src/commands/stream/run-stream.ts");
  });
});

/** Texts of a module, templates piece by piece; comments do not count. */
function textsOf(path: string, source: string): string[] {
  const texts: string[] = [];
  const { program } = parseSync(path, source);
  new Visitor({
    Literal: (node) => void (typeof node.value === "string" && texts.push(node.value)),
    TemplateElement: (node) => void texts.push(node.value.cooked ?? ""),
  }).visit(program);
  return texts;
}

const FLAG = /(?<![\w-])--[a-z]/;
/** Flags of other programs. */
const others = ["convert it with plink --make-bed", "--experimental-wasm-relaxed-simd"];

describe("the library speaks of options, not of flags", () => {
  const library = sources.filter(([path]) => /^(core|onnx|files|native)\/src\//.test(path));
  const texts = library.flatMap(([path, source]) =>
    textsOf(path, source).map((text) => [path, text] as const),
  );

  test("no text of core, onnx, files or native holds a flag of the command", () => {
    expect(texts.length).toBeGreaterThan(2000);
    expect(texts.filter(([, text]) => FLAG.test(text) && !others.includes(text))).toEqual([]);
  });

  test("flags of other programs are still there", () => {
    const all = new Set(texts.map(([, text]) => text));
    expect(others.filter((text) => !all.has(text))).toEqual([]);
  });

  test.each([
    '"use --missing mean"',
    ["`--stability says $", "{1}`"].join(""),
    ["say`a $", "{2} (--select fdr=0.1)`"].join(""),
    '{ at: "--covariates" }',
  ])("%s would be found", (planted) => {
    const text = textsOf("a.ts", `export const a = ${planted}; // --comment`);
    expect(text.some((piece) => FLAG.test(piece))).toBe(true);
    expect(text.join()).not.toContain("comment");
  });
});
