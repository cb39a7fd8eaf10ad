import { resolve } from "node:path";
import {
  type EffectSizes,
  type RateOptions,
  type RateResult,
  RatewiseError,
  rate,
} from "@ratewise/core";
import { indexNames } from "@ratewise/core/data";
import { type RunRecord, rankDocumentText } from "@ratewise/core/explain";
import { within } from "@ratewise/files";
import type { Command } from "../command.ts";
import { dataHash } from "../input/data-hash.ts";
import { type GroupField, numberFields, type PosteriorFields } from "../input/fields.ts";
import { readPositions } from "../input/intervals.ts";
import { effectsOfFields } from "../input/posterior/effects.ts";
import { fewDraws } from "../input/posterior/few-draws.ts";
import { readArrays, readPosterior } from "../input/read-posterior.ts";
import { readGroups, readNames } from "../input/variable-files.ts";
import type { Io } from "../io.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { linearAlgebraEngine, parseCommandLine, usageError } from "../options/options.ts";
import type { Values } from "../options/table.ts";
import { rankingText } from "../output/importance-table.ts";
import { rankCsv } from "../output/rank-csv.ts";
import { told } from "../output/told.ts";

const help = `usage: ratewise rank <posterior.json|posterior.npz> [options]
       ratewise rank --mean a.npy --factor b.npy [--noise c.npy] [options]
       ratewise rank --mean a.npy --covariance b.npy [options]
       ratewise rank --draws d.npy [options]

Ranks p variables by relative centrality (RATE). Give their effect sizes as a Gaussian: a mean (p numbers)
with either a factor A (p×l) of the covariance A·Aᵀ and optionally a noise variance per variable (p), or a
covariance (p×p). Or give draws (s×p) alone.

options:
${optionsHelp("rank")}
A file that ends in .gz is decompressed. - is standard input. Exit code 1: the data or the numbers failed.
Exit code 2: the command line was wrong.

examples:
  ratewise rank posterior.npz
  ratewise rank posterior.json --groups genes.csv --out importance.csv
  ratewise rank --mean mean.npy --factor factor.npy --noise noise.npy --json > result.json
  ratewise rank --draws draws.npy --variant pseudo-inverse
  python3 fit.py | ratewise rank -
`;

export const rank: Command = {
  name: "rank",
  summary: "rank variables whose effect sizes are given as a Gaussian",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("rank", argv);
    const checked = checkValues(positionals, values);
    if (values.out !== undefined) await io.checkTarget(values.out);
    const engine = await linearAlgebraEngine("rank", values.engine, io);
    const { fields, where } = await readFields(positionals[0], values, io);
    const effects = effectsOfFields(where, fields);
    const result = rankEffects(where, effects, fields, checked.rate, values.nullify);
    const { seed, record } = checked;
    // A gigabyte takes a second to hash: only for a document that says so.
    const runRecord = () => ({ seed, engine, options: record, dataHash: dataHash(effects) });
    await present(result, runRecord, values, io);
  },
};

interface Checked {
  readonly rate: RateOptions;
  readonly seed: number;
  /** The options that shaped the result, as they will be written into it. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** All that can be known to be wrong before a file is opened. */
function checkValues(positionals: readonly string[], values: Values<"rank">): Checked {
  const arrays = numberFields.filter((name) => values[name] !== undefined);
  if (positionals.length > 1)
    throw usageError("rank", `needs one posterior file, got ${positionals.length}`);
  if (positionals.length === 0 && arrays.length === 0)
    throw usageError("rank", "needs a posterior file, or --mean and --factor, got neither");
  if (positionals.length === 1 && arrays.length > 0)
    throw usageError("rank", `needs a posterior file or --${arrays[0]}, got both`);
  const { variant, out, nullify, nugget } = values;
  const inputs = [...positionals, values.names, values.groups, ...arrays.map((a) => values[a])];
  if (out !== undefined && inputs.some((path) => path && resolve(path) === resolve(out)))
    throw usageError("rank", `--out would overwrite the input, "${out}"`);
  if (variant === "nugget" && nugget === undefined)
    throw usageError("rank", "--variant nugget needs --nugget, got none");
  if (nugget !== undefined && variant !== undefined && variant !== "nugget")
    throw usageError("rank", `--nugget needs --variant nugget or none, got ${variant}`);
  const divideByGroupSize = values["divide-by-group-size"];
  return {
    seed: values.seed,
    rate: {
      ...(variant !== undefined && { variant }),
      ...(nugget !== undefined && { nugget }),
      divideByGroupSize,
    },
    record: {
      variant: variant ?? null,
      nugget: nugget ?? null,
      nullify,
      divideByGroupSize,
    },
  };
}

async function readFields(
  path: string | undefined,
  values: Values<"rank">,
  io: Io,
): Promise<{ fields: PosteriorFields; where: string }> {
  const posterior =
    path === undefined ? await readArrays(values, io) : await readPosterior(path, io);
  const where = path ?? (values.mean ?? values.draws ?? values.factor ?? values.covariance)!;
  return {
    where,
    fields: {
      ...posterior,
      ...(values.names !== undefined && { names: await readNames(values.names, io) }),
      ...(values.groups !== undefined && { groups: await groupsOption(values.groups, values, io) }),
    },
  };
}

async function groupsOption(
  path: string,
  { window, positions: bim }: Values<"rank">,
  io: Io,
): Promise<GroupField> {
  const positions = bim === undefined ? undefined : await readPositions(bim, io);
  return readGroups(path, io, {
    ...(window !== undefined && { window }),
    positions: () => positions,
  });
}

function rankEffects(
  where: string,
  effects: EffectSizes,
  fields: PosteriorFields,
  rateOptions: RateOptions,
  nullify: readonly string[],
): RateResult {
  const needsNames = fields.groups !== undefined || nullify.length > 0;
  const index = needsNames ? indexNames(effects.names) : new Map<string, number>();
  const groups = fields.groups?.(index);
  const result = within(where, () =>
    rate(effects, {
      ...rateOptions,
      ...(groups && { groups }),
      ...(nullify.length > 0 && { nullify: nullify.flatMap((text) => columnsNamed(text, index)) }),
    }),
  );
  return told(result, fewDraws(fields, effects.mean.length));
}

/** One variable's name, or several with commas between. */
function columnsNamed(text: string, index: ReadonlyMap<string, number>): number[] {
  const names = index.has(text) ? [text] : text.split(",").map((name) => name.trim());
  return names.map((name) => {
    const column = index.get(name);
    if (column === undefined)
      throw new RatewiseError("unknown-name", {
        at: "--nullify",
        what: `there is no variable "${name}"`,
        name,
      });
    return column;
  });
}

async function present(
  result: RateResult,
  record: () => RunRecord,
  { json, out }: Values<"rank">,
  io: Io,
): Promise<void> {
  if (out !== undefined) {
    const csv = /\.csv$/i.test(out);
    await io.writeFile(out, csv ? rankCsv(result) : rankDocumentText(result, record()));
    const note = csv && result.groups ? " (variables only; --out x.json holds the groups too)" : "";
    io.err(`ratewise: wrote ${out}${note}`);
  }
  if (json) for (const piece of rankDocumentText(result, record())) await io.out(piece);
  else await io.out(rankingText(result, io));
}
