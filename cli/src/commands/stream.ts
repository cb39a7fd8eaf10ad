import { rowSubset } from "@ratewise/core/stream";
import type { Command } from "../command.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { engineOption, parseCommandLine } from "../options/options.ts";
import { onePath } from "../options/table-command.ts";
import { progressLine } from "../output/progress.ts";
import { collectAfterStage, keepHeapSmall } from "./stream/collect.ts";
import { openSource } from "./stream/open-source.ts";
import { planned } from "./stream/plan-run.ts";
import { readResponse } from "./stream/response.ts";
import { runStream } from "./stream/run-stream.ts";
import { streamSettings } from "./stream/settings.ts";

const help = `usage: ratewise stream <X.bed|X.npy|X.parquet|X.zarr> [options]

Ranks the columns of an X that does not fit into memory, block by block: genotypes (.bed with .bim and .fam),
arrays (.npy, Zarr version 2 or 3; images have one column per pixel) or Parquet. The last hidden layer of the
network comes from a file, from a network in ONNX, or from a network that ratewise trains, also block by block
and from two bits per genotype.

options:
${optionsHelp("stream")}
A block that cannot be read stops the run; the error names it. With --out, the finished blocks are kept for
--resume. Exit code 1: the data or the numbers failed. Exit code 2: the command line was wrong.

examples:
  ratewise stream genotypes.bed --pheno traits.txt --trait height --memory 4GB --plan
  ratewise stream genotypes.bed --pheno traits.txt --trait height --memory 4GB --out result
  ratewise stream scans.zarr --model net.onnx --target age.npy --out result
  ratewise stream X.npy --activations H.npy --target y.npy --groups genes.csv
`;

export const stream: Command = {
  name: "stream",
  summary: "rank the columns of an X that does not fit into memory",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("stream", argv);
    const path = onePath("stream", positionals);
    const checked = streamSettings(path, values, io);
    keepHeapSmall(checked.memory);
    if (values.out !== undefined) await io.checkFolder(values.out, values.force);
    const engine = await engineOption("stream", values.engine);
    const progress = progressLine(io);
    const start = performance.now();
    const opened = await openSource(path, values, io);
    try {
      const response = await readResponse(path, opened, values, io);
      const source = response?.rows ? rowSubset(opened.source, response.rows) : opened.source;
      const work = { path, source, variants: opened.variants, response, checked, values, io };
      collectAfterStage(source.columns);
      const opening = (performance.now() - start) / 1000;
      if (values.plan) await io.out(await planned(work, opening));
      else await runStream({ ...work, engine, progress, notes: opened.notes });
    } finally {
      progress.finish();
      await opened.close();
    }
  },
};
