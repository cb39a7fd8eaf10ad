import type { CompareDocument } from "@ratewise/core/explain";

/** The two shares of this page go by other names where they are two methods among many. */
const titles: Readonly<Record<string, string>> = {
  rate: "RATE (marginal)",
  "gradient-rate": "direct",
};

/** A method's name in the page, from the command's. */
export function methodTitle(name: string): string {
  return titles[name] ?? name;
}

/** What the figures of a comparison are drawn from, with the page's names. */
export function titledComparison({
  methods,
  spearman,
  shuffle,
}: CompareDocument): Pick<CompareDocument, "methods" | "spearman" | "shuffle"> {
  const titled = <Named extends { readonly name: string }>(named: Named): Named => ({
    ...named,
    name: methodTitle(named.name),
  });
  return {
    methods: methods.map(titled),
    spearman,
    shuffle: { ...shuffle, curves: shuffle.curves.map(titled) },
  };
}
