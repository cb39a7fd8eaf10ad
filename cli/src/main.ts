import { version } from "@ratewise/core";

process.stdout.write(`ratewise ${version}\n`);
