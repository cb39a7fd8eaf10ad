import { caseNamed } from "./cases.ts";
import { listed } from "./kinds.ts";
import type { CommandName, Option } from "./option.ts";
import { optionsOf, term } from "./table.ts";

/** The lines about a command's options in its help. */
export function optionsHelp(command: CommandName): string {
  return optionsOf(command)
    .map((option) => `  ${term(option)}  ${about(option)}\n`)
    .join("");
}

function about(option: Option): string {
  const { when, needs, help, kind, many, otherwise } = option;
  const label = when && caseNamed(when).label;
  const before = label ?? (needs && `with --${needs}`);
  const { choices } = kind;
  const what = choices ? `${help}: ${choicesText(choices, option)}` : help;
  const usual = choices ? otherwise : (otherwise ?? option.default);
  const said = usual === undefined || Object.hasOwn(choices ?? {}, `${usual}`);
  return [
    `${before ? `${before}: ` : ""}${what}`,
    ...(said ? [] : [`default${/ /.test(`${usual}`) ? ":" : ""} ${usual}`]),
    ...(many ? ["may be given again"] : []),
  ].join("; ");
}

function choicesText(choices: Readonly<Record<string, string>>, option: Option): string {
  const usual = option.default ?? option.otherwise;
  return listed(
    Object.entries(choices).map(([name, words]) => {
      const notes = [...(name === usual ? ["default"] : []), ...(words === "" ? [] : [words])];
      return notes.length === 0 ? name : `${name} (${notes.join("; ")})`;
    }),
  );
}
