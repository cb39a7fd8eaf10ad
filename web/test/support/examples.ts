/** For tests of the page from outside: its examples, and the command lines it writes. */
export { explainWords } from "../../src/command-words.ts";
export type { ExampleName } from "../../src/examples/example.ts";
export { makeExample } from "../../src/examples/index.ts";
export { noSettings, OWN_GROUPS, type Settings } from "../../src/settings.ts";
