import { optionsOf, parsedOptions } from "ratewise/options";
import { describe, expect, test } from "vitest";
import { explainWords, givenBy } from "../src/command-words.ts";
import { formOptions } from "../src/form-options.ts";
import { noSettings, type Settings } from "../src/settings.ts";

const explain = optionsOf("explain");
const groups = { kind: "file", name: "genes.bed", window: "" } as const;

/** Choices that between them meet every case an option can be limited to. */
const choices: readonly Settings[] = [
  { ...noSettings, data: "t.csv", target: "y", groups },
  { ...noSettings, data: "t.csv", target: "y", options: { select: "fdr=0.1", stability: true } },
  { ...noSettings, data: "t.csv", options: { select: "fdr=0.1", by: "permutation" } },
  { ...noSettings, data: "t.csv", target: "y", options: { model: "gp" } },
  { ...noSettings, data: "t.csv", target: "y", network: "net.onnx" },
];

test("every option of explain says what it is called on the page, or that the page does not ask for it", () => {
  expect(explain.filter(({ page }) => page === undefined).map(({ name }) => name)).toEqual([]);
});

describe.each(explain.filter(({ page }) => page).map((option) => [option.name, option] as const))(
  "--%s",
  (name, option) => {
    const shown = choices.filter((settings) =>
      formOptions(givenBy(settings), settings.data).includes(option),
    );

    test("has a control, and what is chosen there reaches the command", () => {
      expect(shown).not.toEqual([]);
      for (const settings of shown) {
        const unusual = Object.keys(option.kind.choices ?? {}).findLast(
          (choice) => choice !== (option.default ?? option.otherwise),
        );
        const value = parsedOptions(explain)[name]!.type === "boolean" ? true : (unusual ?? "7");
        const asked = { ...settings, options: { ...settings.options, [name]: value } };
        if (settings.network === "" || name !== "model")
          expect(explainWords(asked)).toContain(
            value === true ? `--${name}` : `--${name}=${value}`,
          );
      }
    });
  },
);

test("a control is there only where its option applies", () => {
  const names = (settings: Settings) =>
    formOptions(givenBy(settings), settings.data).map((option) => option.name);
  const [table, , , process, network] = choices.map(names);
  expect(table).toEqual(expect.arrayContaining(["recipe", "posterior", "select", "positions"]));
  for (const name of ["kernel", "by", "top", "link"]) expect(table).not.toContain(name);
  expect(process).toContain("kernel");
  for (const name of ["recipe", "posterior", "select"]) expect(process).not.toContain(name);
  expect(network).toEqual(expect.arrayContaining(["link", "noise-variance", "hidden"]));
  for (const name of ["recipe", "test-fraction", "select"]) expect(network).not.toContain(name);
});
