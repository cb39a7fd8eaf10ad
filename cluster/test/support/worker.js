/** A worker whose tasks are those of the tests: `node worker.js '{ "on": …, "store": …, "workers": 1, "lock": 2000 }'`. */
import { jsonLog, openStore, runWorker } from "@ratewise/cluster";

const { store, own, ...settings } = JSON.parse(process.argv[2]);
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
await runWorker({
  ...settings,
  store: openStore(store, process.env),
  environment: process.env,
  log: jsonLog((line) => process.stderr.write(`${line}\n`)),
  signal: stop.signal,
  ...(own ? {} : { entry: new URL("./task-process.js", import.meta.url) }),
});
process.exit(0);
