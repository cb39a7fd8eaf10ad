import type { EffectSizes } from "../effects/effect-sizes.ts";
import { nameOf, RatewiseError, refuseUnknown, refuseUnlisted, shapeError } from "../errors.ts";
import { firstNonFinite } from "../linalg/index.ts";
import type { Group, RateOptions } from "./result.ts";
import { variants } from "./variant.ts";

/** Shapes agree, means and noise are finite, noise is not negative, p ≥ 2; see also {@link checkFactor}. */
export function checkEffects(effects: EffectSizes): void {
  const { names, mean, factor, noise } = effects ?? {};
  if (!(mean instanceof Float64Array && factor && Array.isArray(names)))
    throw shapeError(
      "rate",
      "effect sizes, as effectsFromDraws, effectsFromFactor and effectsFromCovariance make them",
      nameOf(effects),
    );
  const p = mean.length;
  if (p < 2)
    throw domain(`needs at least 2 variables, got ${p}; centrality is relative to the others`, {
      p,
    });
  if (names.length !== p)
    throw shapeError("rate", `${p} names, one for each mean`, `${names.length}`);
  if (factor.rows !== p)
    throw shapeError(
      "rate",
      `${p} rows in the factor, one for each mean`,
      `${factor.rows}×${factor.cols}`,
    );
  if (noise && noise.length !== p)
    throw shapeError("rate", `${p} noise variances, one for each mean`, `${noise.length}`);
  checkFinite("mean", mean, names);
  if (!noise) return;
  checkFinite("noise", noise, names);
  const negative = noise.findIndex((value) => value < 0);
  if (negative >= 0)
    throw domain(
      `needs noise variances of at least 0, got ${noise[negative]} for variable ${negative} ("${names[negative]}")`,
      { field: "noise", index: negative },
    );
}

/**
 * Every entry of the factor is finite, given the norms of its rows: a row with NaN or an infinity has such
 * a norm, so the p·l entries need no pass of their own.
 */
export function checkFactor({ names, factor }: EffectSizes, norms: Float64Array): void {
  const { data, cols } = factor;
  for (let row = firstNonFinite(norms); row >= 0 && row < norms.length; row++) {
    const column = firstNonFinite(data.subarray(row * cols, (row + 1) * cols));
    if (column >= 0)
      throw domain(
        `needs finite numbers, got ${data[row * cols + column]} in the factor at row ${row} ("${names[row]}"), column ${column}`,
        { field: "factor", row, column },
      );
  }
}

const known: Readonly<Record<keyof RateOptions, true>> = {
  variant: true,
  nugget: true,
  groups: true,
  nullify: true,
  divideByGroupSize: true,
};

/** Options that mean something, members that exist. */
export function checkOptions(options: RateOptions, p: number): void {
  refuseUnknown("rate", options, known);
  const { variant, nugget, groups = [], nullify = [] } = options;
  refuseUnlisted("rate", "variant", variants, variant);
  checkList("groups", groups, "{ name, members: [0, 2] } for each group");
  checkList("nullify", nullify, "the columns, counted from 0");
  if (nugget !== undefined && !(nugget > 0 && Number.isFinite(nugget)))
    throw domain(`needs a nugget above 0, got ${nugget}`, { nugget });
  if (nugget !== undefined && variant !== undefined && variant !== "nugget")
    throw domain(
      `needs the variant "nugget" for a nugget, got "${variant}"; leave one of them out`,
      {
        variant,
        nugget,
      },
    );
  if (variant === "nugget" && nugget === undefined)
    throw domain('needs the option nugget (ε in Ω + εI) for the variant "nugget", got none', {
      variant,
    });
  groups.forEach((group, index) => {
    checkGroup(group, index, p);
  });
  nullify.forEach((j, at) => {
    if (!isIndex(j, p)) throw outOfRange(`nullify[${at}]`, j, p, { field: "nullify", at });
  });
  if (new Set(nullify).size >= p)
    throw domain(`needs at least one variable that is not nullified, got all ${p}`, { p });
}

function checkList(option: keyof RateOptions, value: unknown, of: string): void {
  if (!Array.isArray(value))
    throw new RatewiseError("domain", {
      in: "rate",
      what: `needs ${option} as a list, got ${nameOf(value)}`,
      advice: `give ${of}`,
      option,
    });
}

function checkGroup(group: Group, index: number, p: number): void {
  const { name, members } = group;
  if (!Array.isArray(members))
    throw domain(`needs members as a list in group ${index} ("${name}"), got ${nameOf(members)}`, {
      field: "groups",
      group: index,
      name,
    });
  if (members.length === 0)
    throw domain(
      `needs at least one member in group ${index} ("${name}"), got none; leave it out`,
      {
        field: "groups",
        group: index,
        name,
      },
    );
  const at = members.findIndex((j) => !isIndex(j, p));
  if (at >= 0)
    throw outOfRange(`member ${at} of group ${index} ("${name}")`, members[at], p, {
      field: "groups",
      group: index,
      name,
      at,
    });
}

function checkFinite(field: string, values: Float64Array, names: readonly string[]): void {
  const at = firstNonFinite(values);
  if (at >= 0)
    throw domain(
      `needs finite numbers, got ${values[at]} in the ${field} of variable ${at} ("${names[at]}")`,
      {
        field,
        index: at,
      },
    );
}

const isIndex = (j: number, p: number): boolean => Number.isInteger(j) && j >= 0 && j < p;

function outOfRange(
  what: string,
  got: number,
  p: number,
  details: Record<string, unknown>,
): RatewiseError {
  return domain(`needs a column index from 0 to ${p - 1} as ${what}, got ${got}`, details);
}

function domain(message: string, details: Record<string, unknown>): RatewiseError {
  return new RatewiseError("domain", { in: "rate", what: message, ...details });
}
