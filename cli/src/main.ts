import { runCommandLine } from "./command-line.ts";
import { nodeIo } from "./node-io.ts";

// Without a listener Node throws here when `| head` closes the pipe; the write's callback hears of it too.
process.stdout.on("error", () => {});
process.exitCode = await runCommandLine(process.argv.slice(2), nodeIo());
