import type { Table } from "@ratewise/core";
import type { GeneticVariant } from "@ratewise/core/data";
import * as elementary from "@ratewise/core/elementary";
import type { ExplainDocument } from "@ratewise/core/explain";

const HEADER = "CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ N TEST BETA SE CHISQ LOG10P EXTRA\n";

/**
 * Genotypes' importance in the columns of a REGENIE step 2 table, which Manhattan plots and other programs
 * read. ALLELE1 is the counted allele. BETA and SE are the posterior mean and standard deviation of the covariance of
 * the variant with the network's prediction; LOG10P is −log₁₀ of the permutation p-value where `--select`
 * gave one and NA otherwise, since RATE is no test; EXTRA has RATE, the direct share and the ranks.
 * Source of the format: https://rgcgithub.github.io/regenie/options/#output
 */
export function* regenieText(
  { variables }: ExplainDocument,
  variants: readonly GeneticVariant[],
  table: Table,
): Generator<string> {
  const at = new Map(table.columns.map(({ name }, j) => [name, j]));
  yield HEADER;
  for (const { name, mean, sd, rate, rank, direct, pValue } of variables) {
    const j = at.get(name)!;
    const { chromosome, position, allele1, allele2 } = variants[j];
    const { frequency, observed } = alleleOf(table, j);
    const cells = [
      ...[chromosome, position, name.replace(/\s/g, "_"), allele2, allele1],
      ...[number(frequency), observed, "RATE", number(mean), number(sd)],
      ...["NA", pValue === null ? "NA" : number(-elementary.log(pValue) / elementary.log(10))],
      `RATE=${number(rate)};RANK=${rank ?? "NA"};DIRECT=${number(direct?.rate)};DIRECT_RANK=${direct?.rank ?? "NA"}`,
    ];
    yield `${cells.join(" ")}\n`;
  }
}

/** Frequency of the counted allele among the samples that have a genotype. */
function alleleOf({ columns }: Table, j: number): { frequency: number; observed: number } {
  const column = columns[j];
  let copies = 0;
  let observed = 0;
  if (column.kind === "number")
    for (const value of column.values)
      if (!Number.isNaN(value)) {
        copies += value;
        observed++;
      }
  return { frequency: copies / (2 * observed), observed };
}

function number(value: number | null | undefined): string {
  return value === null || value === undefined || Number.isNaN(value)
    ? "NA"
    : `${Number(value.toPrecision(7))}`;
}
