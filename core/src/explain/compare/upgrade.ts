import type { CompareDocument, ComparedRow } from "./document.ts";
import { type CompareMethod, formerMethods } from "./methods.ts";

/**
 * A comparison that an earlier version wrote, with the names that its methods have now: fields, notes and options alike. One that
 * has no former name is returned as it is. For whoever reads a result.json or is handed one.
 */
export function upgradeComparison(document: CompareDocument): CompareDocument {
  if (!document.methods.some(({ name }) => formerMethods.has(name))) return document;
  const { methods, variables, groups, shuffle, diagnostics, options } = document;
  return {
    ...document,
    methods: methods.map(renamed),
    variables: variables.map(renamedRow),
    groups: groups.map((group) => ({ ...group, ...renamedRow(group) })),
    shuffle: { ...shuffle, curves: shuffle.curves.map(renamed) },
    diagnostics: diagnostics.map((diagnostic) => ({
      ...diagnostic,
      message: inWords(diagnostic.message),
      ...(typeof diagnostic.method === "string" && { method: nameNow(diagnostic.method) }),
    })),
    options: {
      ...options,
      ...(Array.isArray(options.methods) && { methods: options.methods.map(nameNow) }),
    },
  };
}

function nameNow<Name extends string>(name: Name): Name {
  return (formerMethods.get(name) ?? name) as Name;
}

function renamed<Named extends { readonly name: string }>(named: Named): Named {
  return { ...named, name: nameNow(named.name) };
}

function renamedRow(row: ComparedRow): ComparedRow {
  const { scores, ranks, standardErrors } = row;
  return {
    ...row,
    scores: renamedKeys(scores),
    ranks: renamedKeys(ranks),
    standardErrors: renamedKeys(standardErrors),
  };
}

function renamedKeys(
  byMethod: Readonly<Partial<Record<CompareMethod, number | null>>>,
): Partial<Record<CompareMethod, number | null>> {
  return Object.fromEntries(
    Object.entries(byMethod).map(([name, value]) => [nameNow(name), value]),
  );
}

function inWords(message: string): string {
  return [...formerMethods].reduce((text, [former, now]) => text.replaceAll(former, now), message);
}
