import type { RateResult } from "@ratewise/core";
import { rankDocumentText } from "@ratewise/core/explain";
import { contentHash } from "@ratewise/core/parallel";
import type { StreamNull, StreamPlan } from "@ratewise/core/stream";
import type { Io } from "../../io.ts";
import type { FolderFile } from "../../output/atomic-folder.ts";
import { rankingText } from "../../output/importance-table.ts";
import { printable, wrap } from "../../output/printable.ts";
import { writeResult } from "../../output/write-result.ts";
import type { BimVariants } from "./bim-variants.ts";
import { genomeFigures, hasPlaces, leavesRoomToDraw } from "./genome-figures.ts";
import type { HiddenLayer } from "./hidden.ts";
import { groupsCsv, importanceCsv } from "./importance-csv.ts";
import { importanceMap } from "./importance-map.ts";
import type { StreamSettings } from "./settings.ts";
import type { StreamWork } from "./stream-work.ts";

/** Everything that came of a run. */
export interface StreamFound {
  readonly result: RateResult;
  readonly made: HiddenLayer;
  readonly nulls: StreamNull | null;
  readonly plan: StreamPlan;
  readonly columnMeans: Float64Array;
}

/** Prints the answer, and writes the folder. */
export async function present(
  work: StreamWork,
  { result, made, nulls, plan, columnMeans }: StreamFound,
): Promise<void> {
  const { path, source, variants, response, checked, values, engine, io } = work;
  const { direct, about, hidden } = made;
  const total = direct?.reduce((sum, score) => sum + score, 0) ?? 0;
  const more = {
    direct: direct?.map((score) => (total > 0 ? score / total : 0)) ?? null,
    selection: nulls?.variables ?? null,
    variants,
    copies: variants && columnMeans,
  };
  const record = {
    seed: checked.seed,
    engine,
    options: {
      ...{ data: path, format: source.format, target: response?.name ?? null, model: about },
      ...(values.covariates !== undefined && { covariates: values.covariates }),
      ...{ by: plan.by, blocks: plan.blocks, precision: checked.precision },
      ...(nulls && { fdr: checked.fdr, permutations: nulls.variables.permutations }),
      ...(nulls?.groups && { groupPValues: [...nulls.groups.pValues] }),
    },
    dataHash: contentHash({ hidden: hidden.data, mean: result.variables.mean }),
  };
  if (values.out !== undefined) {
    const { groups } = result;
    const drawn = hasPlaces(variants) && leavesRoomToDraw(plan.memory, checked.memory);
    const files: FolderFile[] = [
      { path: "result.json", pieces: rankDocumentText(result, record) },
      { path: "importance.csv", pieces: importanceCsv(result, more) },
      ...(groups ? [{ path: "groups.csv", pieces: groupsCsv(groups, nulls?.groups ?? null) }] : []),
      ...importanceMap(result, source.rowShape),
      ...(drawn ? await genomeFigures(result, variants, more.direct) : []),
    ];
    await writeResult(io, values.out, files);
    if (!drawn && hasPlaces(variants))
      io.err(
        "ratewise: no figure of the chromosomes: it needs 64 MB more; allow them with --memory",
      );
    io.err(`ratewise: wrote ${files.map((file) => file.path).join(", ")} to ${values.out}`);
  }
  if (values.json) for (const piece of rankDocumentText(result, record)) await io.out(piece);
  else {
    const quality = heldOutText(work, made);
    if (quality) await io.out(`${wrap(quality, widthOf(io))}\n\n`);
    await io.out(rankingText(variants ? placed(result, variants) : result, io));
    if (nulls) await io.out(`\n${wrap(selectedText(nulls, result, checked), widthOf(io))}\n`);
  }
}

/** With the places of the variants that are shown after their names. */
function placed(result: RateResult, variants: BimVariants): RateResult {
  const { variables } = result;
  const names = variables.names.slice();
  for (let j = 0; j < names.length; j++)
    if (variables.rank[j] > 0 && variables.rank[j] <= SHOWN && variants.positions[j] > 0)
      names[j] =
        `${names[j]} ${variants.chromosome(j)}:${variants.positions[j].toLocaleString("en")}`;
  return { ...result, variables: { ...variables, names } };
}

/** Variables that rankingText shows. */
const SHOWN = 20;

function widthOf({ columns }: Io): number {
  return Math.max(40, Math.min(columns, 120));
}

/** How good the network is that was trained here, beside what needs none. */
function heldOutText(
  { source, response, checked: { from } }: StreamWork,
  { heldOut }: HiddenLayer,
): string | null {
  if (!heldOut || from.kind !== "train") return null;
  const { metric, score, baseline, standardError, rows } = heldOut;
  const percent = (value: number): string => `${(100 * value).toFixed(1)}%`;
  const quality =
    metric === "r2"
      ? `it explains ${percent(score)} of the variance (the mean alone ${percent(baseline)}, standard error ${percent(standardError)})`
      : `it predicts ${percent(score)} of the classes right (always the commonest: ${percent(baseline)}, standard error ${percent(standardError)})`;
  return (
    `${printable(response!.name)} (${metric === "r2" ? "regression" : "classification"}) from ${source.columns} variables, a network of ${from.units.join("-")} hidden units trained on ${source.rows - rows} rows. ` +
    `On the ${rows} rows held back ${quality}. These rows also chose penalty and epoch, so the score is slightly too good.`
  );
}

function selectedText(
  { variables, groups }: StreamNull,
  { groups: scored }: RateResult,
  { fdr, from }: StreamSettings,
): string {
  const count = (selected: readonly boolean[]): number => selected.filter(Boolean).length;
  const ofGroups =
    groups && scored ? `, ${count(groups.selected)} of ${scored.names.length} groups` : "";
  const limits =
    from.kind === "train"
      ? " Not guaranteed: the network was trained on these same rows (see above)."
      : "";
  return `Selected at a false discovery rate of ${fdr}, by ${variables.permutations} permutations: ${count(variables.selected)} of ${variables.selected.length} variables${ofGroups}.${limits}`;
}
