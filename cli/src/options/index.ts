/** The table of options, for a form that asks for them: it loads none of the commands. */
export type { Given } from "./cases.ts";
export { flag } from "./kinds.ts";
export type { CommandName, Option } from "./option.ts";
export { applies, choicesIn, optionsOf, parsedOptions } from "./table.ts";
