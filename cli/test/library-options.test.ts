import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { explain } from "@ratewise/core";
import { table } from "@ratewise/core/data";
import { describe, expect, test } from "vitest";
import type { cases } from "../src/options/cases.ts";
import { flag } from "../src/options/kinds.ts";
import type { Option } from "../src/options/option.ts";
import { powerOptions } from "../src/options/table/rank.ts";
import { selectionOptions } from "../src/options/table/selection.ts";
import {
  compareOptions,
  stabilityOptions,
  trainingOptions,
} from "../src/options/table/training.ts";
import { optionsOf, settingsOf } from "../src/options/table.ts";
import { run, temporaryFolder } from "./support/run.ts";

/** Parts of the table that are handed to the library under the library's names. */
const handedOn: ReadonlySet<Option> = new Set<Option>([
  ...trainingOptions,
  ...stabilityOptions,
  ...compareOptions,
  ...powerOptions,
  ...selectionOptions,
]);

/** What cases need beside the option. */
const beside: Partial<Record<keyof typeof cases, readonly string[]>> = {
  process: ["--model", "gp"],
  permutation: ["--by", "permutation"],
};

/** A text that the option takes: a choice, or the first of some that its kind reads. */
function sampleOf({ kind, value = kind.value }: Option): string {
  if (value === "file") return path;
  const texts = [
    ...Object.keys(kind.choices ?? {}),
    value,
    "0.5",
    "2",
    "10",
    "30x5",
    "fdr=0.5",
    "b",
  ];
  return texts.find((text) => kind.read(text) !== undefined)!;
}

function argumentsFor(option: Option, options: readonly Option[]): string[] {
  const { name, kind, needs, when } = option;
  const needed = options.find((one) => one.name === needs);
  return [
    `--${name}`,
    ...(kind === flag ? [] : [sampleOf(option)]),
    ...(needed ? argumentsFor(needed, options) : []),
    ...((when && beside[when]) ?? []),
  ];
}

// Two rows: the library refuses them once it has looked at the options.
const path = join(temporaryFolder(), "t.csv");
writeFileSync(path, "a,b,column,y\n1,2,3,1.5\n2,1,3,2.5\n");

describe.each(["explain", "compare", "power"] as const)("the library takes from %s", (command) => {
  const options = optionsOf(command);
  const own = options.filter((option) => handedOn.has(option));

  test.each(own.map((option) => [option.name, option] as const))("--%s", async (_, option) => {
    const argv = argumentsFor(option, options);
    const { err } = await run([command, path, "--target", "y", ...argv]);
    // A test table has as many again.
    const rows = option.name === "test" ? 4 : 2;
    expect(err, argv.join(" ")).toContain(`usable rows, got ${rows} of ${rows}`);
  });

  test("some options at all", () => expect(own.length).toBeGreaterThan(7));
});

test("an option of the table that the library does not know is refused, not recorded", async () => {
  const added = [{ name: "new-option", commands: ["explain"], kind: flag, help: "" }] as const;
  const source = table([{ kind: "number", name: "y", values: Float64Array.of(1, 2) }]);
  const settings = settingsOf(added, { "new-option": true });
  expect(settings).toEqual({ newOption: true });
  await expect(explain(source, { target: "y", ...settings })).rejects.toMatchObject({
    code: "unknown-name",
    option: "newOption",
  });
});
