/**
 * What a page in the browser is made of: the commands, to be run on an Io of its own. The workspace's own page is built from
 * this, and `ratewise app` serves it. Bundlers have to replace what only Node has; see web/vite.config.ts.
 */

export type { Command } from "./command.ts";
export type { CommandResult } from "./command-result.ts";
export { compare } from "./commands/compare.ts";
export { explain } from "./commands/explain.ts";
export { inspect } from "./commands/inspect.ts";
export { predict } from "./commands/predict.ts";
export type { Io } from "./io.ts";
export type { FolderFile } from "./output/atomic-folder.ts";
export { errorMessage } from "./output/error-message.ts";
export { explainCsv } from "./output/explain-csv.ts";
export { importanceFiles, importanceParquet } from "./output/importance-files.ts";
export type { InspectDocument, InspectedColumn } from "./output/inspect-text.ts";
export { printable } from "./output/printable.ts";
