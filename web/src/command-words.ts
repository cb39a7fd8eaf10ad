import { applies, type CommandName, choicesIn, type Given, optionsOf } from "ratewise/options";
import { OWN_GROUPS, type Settings } from "./settings.ts";

/** Everything that was chosen, by the names of the command's options. */
export function givenBy(settings: Settings): Given {
  const { data: _, network, groups, options, ...chosen } = settings;
  const all: Given = {
    ...chosen,
    // The command wants both or neither: without a trait the phenotype is that of the .fam file.
    pheno: chosen.trait === "" ? "" : chosen.pheno,
    ...(groups.kind === "own" && { groups: OWN_GROUPS }),
    ...(groups.kind === "file" && { groups: groups.name, window: groups.window }),
    ...options,
    ...(network !== "" && { model: network }),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

/** The command line that asks for what was chosen, as far as the command has options for it and they apply. */
function wordsOf(command: CommandName, chosen: Given, data: string): string[] {
  const options = optionsOf(command);
  const given = Object.fromEntries(options.map(({ name }) => [name, chosen[name]]));
  const words = options.flatMap((option) => {
    const { name } = option;
    const value = given[name];
    if (value === undefined || value === false) return [];
    if (value === `${option.default}` || !applies(option, given, data)) return [];
    if (value === true) return [`--${name}`];
    if (typeof value !== "string") return value.map((one) => `--${name}=${one}`);
    const choices = option.limits ? choicesIn(option, given, data) : null;
    return choices && !choices.some(([choice]) => choice === value) ? [] : [`--${name}=${value}`];
  });
  return [...words, "--", data];
}

/** The page computes on one engine everywhere, so that its numbers are those of any other machine. */
const engine = { engine: "plain" } as const;

/** The command line of `ratewise inspect` for these settings. */
export function inspectWords(settings: Settings): string[] {
  return [
    "--json",
    ...wordsOf("inspect", { ...givenBy(settings), seed: undefined }, settings.data),
  ];
}

/** Of `ratewise explain`: of a network that is already trained, where one was dropped. */
export function explainWords(settings: Settings): string[] {
  return wordsOf("explain", { ...givenBy(settings), ...engine }, settings.data);
}

/** Of `ratewise compare`; no methods are all of them, and `search` chooses the settings of forests and the like. */
export function compareWords(
  settings: Settings,
  methods: readonly string[],
  search = "",
): string[] {
  const asked = {
    methods: methods.length === 0 ? undefined : methods.join(","),
    search: search === "" ? undefined : search,
  };
  return wordsOf("compare", { ...givenBy(settings), ...engine, ...asked }, settings.data);
}

/** Of `ratewise predict` with a model that was saved. */
export function predictWords(data: string, model: string): string[] {
  return wordsOf("predict", { model, ...engine }, data);
}
