import { type CaseName, caseNamed, type Given } from "./cases.ts";
import { flag, type Kind } from "./kinds.ts";
import type { CommandName, Option } from "./option.ts";
import { clusterOptions } from "./table/cluster.ts";
import { columnOptions, dataOptions } from "./table/data.ts";
import { networkOptions, saliencyOptions } from "./table/network.ts";
import { commonOptions, otherOptions, outputOptions } from "./table/output.ts";
import { powerOptions, rankOptions } from "./table/rank.ts";
import { selectionOptions } from "./table/selection.ts";
import { streamOptions } from "./table/stream.ts";
import { compareOptions, stabilityOptions, trainingOptions } from "./table/training.ts";

const entries = [
  ...rankOptions,
  ...saliencyOptions,
  ...dataOptions,
  ...trainingOptions,
  ...powerOptions,
  ...streamOptions,
  ...columnOptions,
  ...networkOptions,
  ...selectionOptions,
  ...stabilityOptions,
  ...compareOptions,
  ...otherOptions,
  ...clusterOptions,
  ...outputOptions,
  ...commonOptions,
];

/** Every option, in the order of the help. */
export const optionTable: readonly Option[] = entries;

/** The options of one command, in the order of its help. */
export function optionsOf(command: CommandName): readonly Option[] {
  return optionTable.filter(({ commands }) => commands.includes(command));
}

type Entry = (typeof entries)[number];
type EntryOf<Command extends CommandName, E = Entry> = E extends Entry
  ? Command extends E["commands"][number]
    ? E
    : never
  : never;

type Read<E> = E extends { readonly kind: Kind<infer T> } ? T : never;
type ValueOf<E> = E extends { readonly many: true } ? readonly Read<E>[] : Read<E>;
/** Options that have a value even where nothing was typed. */
type Certain =
  | { readonly kind: Kind<boolean> }
  | { readonly many: true }
  | { readonly required: true }
  | { readonly default: unknown };

/** What a command line of this command says, read and with defaults, by the names of the options. */
export type Values<Command extends CommandName> = {
  readonly [E in EntryOf<Command> as E extends Certain ? E["name"] : never]: ValueOf<E>;
} & {
  readonly [E in EntryOf<Command> as E extends Certain ? never : E["name"]]?: ValueOf<E>;
};

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** The values of some options, by the names that the library and results have for them. */
export type SettingsOf<Part extends readonly Option[], V> = {
  readonly [Name in keyof V as Name extends Part[number]["name"]
    ? Camel<Name & string>
    : never]: V[Name];
};

/** `test-fraction` as `testFraction`, and no option that was left out. */
export function settingsOf<const Part extends readonly Option[], V extends object>(
  part: Part,
  values: V,
): SettingsOf<Part, V> {
  const names = new Set(part.map(({ name }) => name));
  const chosen = Object.entries(values).filter(
    ([name, value]) => names.has(name) && value !== undefined && value !== false,
  );
  return Object.fromEntries(
    chosen.map(([name, value]) => [
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as SettingsOf<Part, V>;
}

/** Whether an option has anything to say, given the others. */
export function applies(
  { when, needs, excludes = [] }: Option,
  given: Given,
  file: string | undefined,
): boolean {
  const isGiven = (name: string): boolean => (given[name] ?? false) !== false;
  if (excludes.some(isGiven)) return false;
  const there = needs === undefined || isGiven(needs);
  return there && (when === undefined || caseNamed(when).holds(given, file));
}

/** What can be chosen in this case, with words about each; null where anything can be written. */
export function choicesIn(
  { kind, limits }: Option,
  given: Given,
  file: string | undefined,
): readonly (readonly [string, string])[] | null {
  if (!kind.choices) return null;
  return Object.entries(kind.choices).filter(([name]) => {
    const limit = limits?.[name];
    return limit === undefined || caseNamed(limit).holds(given, file);
  });
}

/** Why a command line cannot be, as far as the table knows; undefined where it can. */
export function refusal(
  command: CommandName,
  given: Given,
  file: string | undefined,
): string | undefined {
  const options = optionsOf(command);
  for (const option of options) {
    const { name, required, when, needs, limits, excludes = [] } = option;
    const value = given[name];
    if (value === undefined) {
      if (required) return `needs ${term(option)}: ${option.help}`;
      continue;
    }
    const only = (what: string, limit: CaseName | undefined): string | undefined => {
      if (limit === undefined || caseNamed(limit).holds(given, file)) return undefined;
      return `${what} applies to ${caseNamed(limit).what} only; ${caseNamed(limit).instead(given)}`;
    };
    const limit = typeof value === "string" ? limits?.[value] : undefined;
    const other = options.find((one) => one.name === needs);
    if (other && given[other.name] === undefined && other.default === undefined)
      return `--${name} needs --${needs}; add ${term(other)}, or remove --${name}`;
    const against = excludes.find((one) => given[one] !== undefined);
    if (against !== undefined)
      return `--${name} and --${against} exclude one another; remove one of them`;
    const why = only(`--${name}`, when) ?? only(`--${name} ${value}`, limit);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** `--hidden <32,16>`. */
export function term({ name, kind, value = kind.value }: Option): string {
  return value === "" ? `--${name}` : `--${name} <${value}>`;
}

/** Options as `parseArgs` of Node takes them. */
export function parsedOptions(
  options: readonly Option[],
): Record<string, { type: "boolean" | "string"; multiple?: boolean }> {
  const known = options.map(({ name, kind, many = false }): [string, object] => [
    name,
    { type: kind === flag ? "boolean" : "string", multiple: many },
  ]);
  return { ...Object.fromEntries(known), help: { type: "boolean" } };
}
