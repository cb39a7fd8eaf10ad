import { type CompareMethod, compareMethods } from "@ratewise/core";
import { formerMethods } from "@ratewise/core/explain";
import { didYouMean } from "@ratewise/core/words";

/** How the text of an option is read. */
export interface Kind<T> {
  /** As in `--top needs a whole number above 0, got "x"`. */
  readonly needs: string;
  /** The value, or undefined when the text is not of this kind. */
  readonly read: (text: string) => T | undefined;
  /** What the help puts between < and > where the option names nothing better. */
  readonly value: string;
  /** What can be chosen, with words about each where there are some. */
  readonly choices?: Readonly<Record<string, string>>;
  /** What is wrong with a text, where "needs …, got …" would not help enough. */
  readonly wrong?: (text: string) => string;
}

/** An option without a value: it is there or not. */
export const flag: Kind<boolean> = { needs: "no value", read: () => true, value: "" };

export const text: Kind<string> = { needs: "a value", read: (value) => value, value: "text" };

/** A text for which there are known words, none of which has to be chosen. */
export function textSuchAs(names: readonly string[]): Kind<string> {
  return { ...text, choices: Object.fromEntries(names.map((name) => [name, ""])) };
}

/** One of `names`; `words` says something about each. */
export function oneOf<Name extends string>(
  names: readonly Name[],
  words?: Readonly<Record<Name, string>>,
): Kind<Name> {
  return {
    needs: listed(names),
    read: (value) => names.find((name) => name === value),
    value: "name",
    choices: Object.fromEntries(names.map((name) => [name, words?.[name] ?? ""])),
    wrong: (value) => ` needs ${listed(names)}, got "${value}"${didYouMean(value, names)}`,
  };
}

/** One of `names`, or a file with this ending. */
export function oneOfOrFile<Name extends string>(
  names: readonly Name[],
  words: Readonly<Record<Name, string>>,
  ending: string,
): Kind<string> {
  const needs = listed([...names, `a file that ends in ${ending}`]);
  return {
    ...oneOf(names, words),
    needs,
    read: (value) =>
      value.toLowerCase().endsWith(ending) ? value : names.find((name) => name === value),
    wrong: (value) => ` needs ${needs}, got "${value}"${didYouMean(value, names)}`,
  };
}

/** The name of a file that can only be of these formats. */
export function fileName(...endings: readonly string[]): Kind<string> {
  return {
    needs: `a name that ends in ${listed(endings)}`,
    read: (value) =>
      endings.some((ending) => value.toLowerCase().endsWith(ending)) ? value : undefined,
    value: "file",
  };
}

export const list: Kind<readonly string[]> = {
  needs: "names with commas between them",
  read: (value) => value.split(",").map((name) => name.trim()),
  value: "a,b",
};

/** A whole number of at least `from`. */
export function whole(from = 1, to: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  const most = to === Number.MAX_SAFE_INTEGER ? "2^53 − 1" : `${to}`;
  const above = from === 1 ? "above 0" : `of at least ${from}`;
  return {
    needs: `a whole number ${from === 0 || most === `${to}` ? `from ${from} to ${most}` : above}`,
    read: (value) => {
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      return Number.isSafeInteger(number) && number >= from && number <= to ? number : undefined;
    },
    value: "n",
  };
}

/** A finite number for which `holds` is true. */
function numberThat(needs: string, holds: (number: number) => boolean): Kind<number> {
  return {
    needs,
    read: (value) => {
      const number = value.trim() === "" ? Number.NaN : Number(value);
      return Number.isFinite(number) && holds(number) ? number : undefined;
    },
    value: "number",
  };
}

export const positive: Kind<number> = numberThat("a number above 0", (x) => x > 0);

/** Of something that may not be all or nothing. */
export const properShare: Kind<number> = numberThat(
  "a share above 0 and below 1",
  (x) => x > 0 && x < 1,
);

export const positiveShare: Kind<number> = numberThat(
  "a share above 0, of at most 1",
  (x) => x > 0 && x <= 1,
);

export const share: Kind<number> = numberThat("a share from 0 to 1", (x) => x >= 0 && x <= 1);

/** Units of hidden layers: 32,16. */
export const units: Kind<readonly number[]> = {
  needs: "whole numbers with commas between them",
  read: (value) => {
    const numbers = value.split(",").map(Number);
    return numbers.every((n) => Number.isInteger(n) && n > 0) ? numbers : undefined;
  },
  value: "32,16",
};

export const penalties: Kind<readonly number[]> = {
  needs: "numbers ≥ 0 with commas between them",
  read: (value) => {
    const numbers = value.split(",").map(Number);
    return numbers.every((x) => x >= 0 && Number.isFinite(x)) ? numbers : undefined;
  },
  value: "2,4",
};

/** What each class counts: balanced, or name=3,other=1. */
export const classWeights: Kind<"balanced" | Readonly<Record<string, number>>> = {
  needs: "balanced, or classes with numbers above 0, such as yes=3,no=1",
  read: (value) => {
    if (value === "balanced") return value;
    const weights = new Map<string, number>();
    for (const part of value.split(",")) {
      const [, name, typed] = /^\s*(.+)=([^=]+)$/.exec(part) ?? [];
      const weight = Number(typed);
      const wrong = !(weight > 0 && weight < Number.POSITIVE_INFINITY);
      if (name === undefined || typed.trim() === "" || wrong || weights.has(name)) return undefined;
      weights.set(name, weight);
    }
    return Object.fromEntries(weights);
  },
  value: "how",
};

/** A rate of false discoveries: fdr=0.1. */
export const falseRate: Kind<number> = {
  needs: "fdr= and a rate between 0 and 1, such as fdr=0.1",
  read: (value) => {
    const rate = Number(/^fdr=(.+)$/.exec(value)?.[1]);
    return rate > 0 && rate < 1 ? rate : undefined;
  },
  value: "fdr=0.1",
};

/** 50000 or 50k. */
export const basePairs: Kind<number> = {
  needs: "base pairs such as 50000 or 50k",
  read: (value) => {
    const [, digits, unit] = /^(\d+(?:\.\d+)?)([kKmM]?)(?:bp?)?$/.exec(value) ?? [];
    if (digits === undefined) return undefined;
    return Number(digits) * { "": 1, k: 1e3, m: 1e6 }[unit.toLowerCase() as "" | "k" | "m"];
  },
  value: "base pairs",
};

const BYTES: Readonly<Record<string, number>> = {
  "": 1,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
};

/** 4GB, 800M or 1.5GiB. */
export const bytes: Kind<number> = {
  needs: "an amount such as 4GB or 800MB",
  read: (value) => {
    const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(value) ?? [];
    const count = digits === undefined ? 0 : Math.floor(Number(digits) * BYTES[unit.toLowerCase()]);
    return count > 0 ? count : undefined;
  },
  value: "4GB",
};

/** Candidates and folds: 30x5. */
export const search: Kind<{ readonly candidates: number; readonly folds: number }> = {
  needs: "candidates and folds, as 30x5, with at least 2 folds",
  read: (value) => {
    const [candidates, folds] = (/^(\d+)[x×](\d+)$/.exec(value) ?? []).slice(1).map(Number);
    return candidates >= 1 && folds >= 2 ? { candidates, folds } : undefined;
  },
  value: "30x5",
};

/** Names of methods with commas between them, or `all`. */
export const methods: Kind<readonly CompareMethod[]> = {
  needs: "every method once",
  read: (value) => {
    if (value === "all") return compareMethods;
    const names = list.read(value)!.map((name) => compareMethods.find((known) => known === name));
    const known = names.filter((name) => name !== undefined);
    return known.length === names.length && new Set(known).size === known.length
      ? known
      : undefined;
  },
  value: "a,b,…",
  choices: Object.fromEntries(["all", ...compareMethods].map((name) => [name, ""])),
  wrong: (value) => {
    const strange = list
      .read(value)!
      .find((name) => !(compareMethods as readonly string[]).includes(name));
    if (strange === undefined) return ` needs every method once, got "${value}"`;
    const now = formerMethods.get(strange);
    const instead =
      now === undefined
        ? didYouMean(strange, compareMethods) || `; choose one of ${compareMethods.join(", ")}`
        : `; it is called "${now}" now`;
    return `: there is no method "${strange}"${instead}`;
  },
};

/** `a, b or c`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}
