import type { ExplainDocument } from "@ratewise/core";
import { csvCellOfText } from "@ratewise/files";

const header =
  "name,rank,rate,kld,kldExact,mutualInformation,mean,sd,directRate,directRank,standInFor,selected,pValue,qValue,topK,rankLow,rankHigh";

/** The variables of an explanation as CSV, in input order. What is null is an empty cell. */
export function* explainCsv({ variables }: ExplainDocument): Generator<string> {
  yield `${header}\n`;
  for (const v of variables) {
    const numbers = [
      v.rank,
      v.rate,
      v.kld,
      v.kldExact,
      v.mutualInformation,
      v.mean,
      v.sd,
      v.direct?.rate,
      v.direct?.rank,
    ];
    const standIn = v.standInFor === null ? "" : csvCellOfText(v.standInFor);
    const rest = [v.selected, v.pValue, v.qValue, v.topK, v.rankInterval?.[0], v.rankInterval?.[1]];
    yield `${[csvCellOfText(v.name), ...numbers.map((x) => x ?? ""), standIn, ...rest.map((x) => x ?? "")].join(",")}\n`;
  }
}
