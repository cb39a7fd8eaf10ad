import type { Model, RankingBasis, Table, TrainedNetworkDocument } from "@ratewise/core";
import type { GeneticVariant } from "@ratewise/core/data";
import type { CompareDocument, ExplainDocument } from "@ratewise/core/explain";

/** What a command found, before it is printed or written. */
export type CommandResult =
  | {
      readonly kind: "explain";
      readonly document: ExplainDocument;
      readonly model: Model;
      readonly ranking: RankingBasis;
      /** Genotypes come with where their columns lie. */
      readonly data: { readonly table: Table; readonly variants?: readonly GeneticVariant[] };
    }
  | {
      readonly kind: "network";
      readonly document: TrainedNetworkDocument;
      readonly ranking: RankingBasis;
    }
  | { readonly kind: "compare"; readonly document: CompareDocument; readonly model: Model };
