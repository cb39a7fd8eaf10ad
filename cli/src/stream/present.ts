import {
  contentHash,
  type RateResult,
  rankDocumentText,
  type StreamNull,
  type StreamPlan,
} from "@ratewise/core";
import type { FolderFile } from "../atomic-folder.ts";
import { rankingText } from "../importance-table.ts";
import type { HiddenLayer } from "./hidden.ts";
import { importanceCsv } from "./importance-csv.ts";
import { importanceMap } from "./importance-map.ts";
import type { StreamSettings } from "./settings.ts";
import type { StreamWork } from "./stream-work.ts";

/** Prints the answer, and writes the folder. */
export async function present(
  { path, source, response, checked, values, engine, io }: StreamWork,
  result: RateResult,
  { direct, about, hidden }: HiddenLayer,
  nulls: StreamNull | null,
  plan: StreamPlan,
): Promise<void> {
  const total = direct?.reduce((sum, score) => sum + score, 0) ?? 0;
  const more = {
    direct: direct?.map((score) => (total > 0 ? score / total : 0)) ?? null,
    selection: nulls?.variables ?? null,
  };
  const record = {
    seed: checked.seed,
    engine,
    options: {
      ...{ data: path, format: source.format, target: response?.name ?? null, model: about },
      ...{ by: plan.by, blocks: plan.blocks, precision: checked.precision },
      ...(nulls && { fdr: checked.fdr, permutations: nulls.variables.permutations }),
      ...(nulls?.groups && { groupPValues: [...nulls.groups.pValues] }),
    },
    dataHash: contentHash({ hidden: hidden.data, mean: result.variables.mean }),
  };
  if (values.out !== undefined) {
    const files: FolderFile[] = [
      { path: "result.json", pieces: rankDocumentText(result, record) },
      { path: "importance.csv", pieces: importanceCsv(result, more) },
      ...importanceMap(result, source.rowShape),
    ];
    await io.writeFolder(values.out, files);
    io.err(`ratewise: wrote ${files.map((file) => file.path).join(", ")} to ${values.out}`);
  }
  if (values.json) for (const piece of rankDocumentText(result, record)) await io.out(piece);
  else {
    await io.out(rankingText(result, io));
    if (nulls) await io.out(`\n${selectedText(nulls, result, checked)}\n`);
  }
}

function selectedText(
  { variables, groups }: StreamNull,
  { groups: scored }: RateResult,
  { fdr }: StreamSettings,
): string {
  const count = (selected: readonly boolean[]): number => selected.filter(Boolean).length;
  const ofGroups =
    groups && scored ? `, ${count(groups.selected)} of ${scored.names.length} groups` : "";
  return `Selected at a false discovery rate of ${fdr}, by ${variables.permutations} permutations: ${count(variables.selected)} of ${variables.selected.length} variables${ofGroups}.`;
}
