/**
 * What a page in the browser is made of: the commands, to be run on an Io of its own. The workspace's own page is built from
 * this, and `ratewise app` serves it. Bundlers have to replace what only Node has; see web/vite.config.ts.
 */
export type { FolderFile } from "./atomic-folder.ts";
export type { Command } from "./command.ts";
export type { CommandResult } from "./command-result.ts";
export { compare } from "./commands/compare.ts";
export { explain } from "./commands/explain.ts";
export { inspect } from "./commands/inspect.ts";
export { predict } from "./commands/predict.ts";
export { errorMessage } from "./error-message.ts";
export { explainCsv } from "./explain-csv.ts";
export { importanceFiles, importanceParquet } from "./importance-files.ts";
export type { InspectDocument, InspectedColumn } from "./inspect-text.ts";
export type { Io } from "./io.ts";
export { printable } from "./printable.ts";
