import { rowSubset } from "@ratewise/core/stream";
import type { Command } from "../command.ts";
import { engineOption, everywhere, everywhereHelp, parseCommandLine } from "../options/options.ts";
import { onePath } from "../options/table-command.ts";
import { progressLine } from "../output/progress.ts";
import { collectAfterStage, keepHeapSmall } from "./stream/collect.ts";
import { openSource } from "./stream/open-source.ts";
import { planned } from "./stream/plan-run.ts";
import { readResponse } from "./stream/response.ts";
import { runStream } from "./stream/run-stream.ts";
import { streamSettings } from "./stream/settings.ts";

const options = {
  ...everywhere,
  target: { type: "string" },
  pheno: { type: "string" },
  trait: { type: "string" },
  covariates: { type: "string" },
  task: { type: "string" },
  names: { type: "string" },
  activations: { type: "string" },
  model: { type: "string" },
  hidden: { type: "string" },
  penalty: { type: "string" },
  epochs: { type: "string" },
  batch: { type: "string" },
  groups: { type: "string" },
  window: { type: "string" },
  select: { type: "string" },
  permutations: { type: "string" },
  memory: { type: "string" },
  plan: { type: "boolean" },
  by: { type: "string" },
  block: { type: "string" },
  precision: { type: "string" },
  out: { type: "string" },
  force: { type: "boolean" },
  resume: { type: "boolean" },
} as const;

const help = `usage: ratewise stream <X.bed|X.npy|X.parquet|X.zarr> [options]

Ranks the columns of an X that does not fit into memory, a block at a time: genotypes (.bed with .bim and .fam),
arrays (.npy, Zarr of version 2 or 3; images are one column a pixel) or Parquet. The last hidden layer of the
network comes from a file, from a network in ONNX, or from a network that is trained here, also a block at a
time and from two bits a genotype.

options:
  --target <y>           what to predict: a column of Parquet, or a .npy file with a value a row
  --pheno <file>         of genotypes: phenotypes by FID and IID; without it the .fam file's
  --trait <name>         of genotypes: the column of --pheno to predict
  --covariates <a,b>     take these out of the response first, by linear regression: columns of --pheno or of
                         Parquet, a file by FID and IID, or a .npy file with a row for each of X
  --task <name>          regression or classification; default: by the target
  --names <file>         a name a column, one a line
  --activations <H.npy>  the last hidden layer of every row, rows × units
  --model <net.onnx>     the network whose last hidden layer it is
  --hidden <32,16>       otherwise: hidden layers of the network that is trained
  --penalty <2,4>        of training: input penalties to choose from
  --epochs <20>          of training: the most epochs for each
  --batch <128>          of training: rows of a batch
  --groups <file>        sets of variables to rank too, as for ratewise rank
  --window <0>           base pairs around a gene that belong to it, such as 50k
  --select <fdr=0.1>     permutation p-values, and which are selected at this rate
  --permutations <1000>  how many
  --memory <4GB>         what may be used; default three quarters of the machine's
  --plan                 say what would be read, in which blocks, and what time, memory and disk it takes; then stop
  --by <way>             columns or rows; default: as the file lies, where that fits
  --block <n>            columns or rows of a block; default: what the memory allows
  --precision <how>      double (default), or single for the products of genotypes: twice as fast
  --out <folder>         result.json, importance.csv, groups.csv; of images importance-map.npy and .png, of genotypes
                         figures/manhattan.svg and .png
  --force                write beside files that are not ours
  --resume               go on with the blocks that a stopped or failed run has finished
${everywhereHelp}
A block that cannot be read is named and stops the run; with --out the finished ones are kept for --resume. Exit
code 1: the data or the numbers failed; 2: the command line was wrong.

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
  options,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("stream", argv, options);
    const path = onePath("stream", positionals);
    const checked = streamSettings(path, values, io);
    keepHeapSmall(checked.memory);
    if (values.out !== undefined) await io.checkFolder(values.out, values.force ?? false);
    const engine = await engineOption("stream", values.engine);
    const progress = progressLine(io);
    const start = performance.now();
    const opened = await openSource(path, values, io);
    try {
      const response = await readResponse(path, opened, { ...values, task: checked.task }, io);
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
