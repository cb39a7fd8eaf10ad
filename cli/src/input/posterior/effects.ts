import {
  type EffectSizes,
  effectsFromCovariance,
  effectsFromDraws,
  effectsFromFactor,
  matrix,
  RatewiseError,
} from "@ratewise/core";
import { indexNames } from "@ratewise/core/data";
import { firstNonFinite } from "@ratewise/core/linalg";
import { within } from "@ratewise/files";
import type { NameField, NumberField, PosteriorFields } from "../fields.ts";

function shapeError(where: string, needed: string, got: string): RatewiseError {
  return new RatewiseError("shape", { at: where, what: `needs ${needed}, got ${got}` });
}

/**
 * The Gaussian that the fields describe. Everything is checked here first, though the library checks too:
 * here the file, the field and the position are known.
 */
export function effectsOfFields(where: string, fields: PosteriorFields): EffectSizes {
  const { mean, factor, covariance, draws } = fields;
  const given = [factor && "factor", covariance && "covariance", draws && "draws"].filter(Boolean);
  if (given.length !== 1)
    throw new RatewiseError("domain", {
      at: where,
      what: `needs one of factor, covariance and draws, got ${given.join(" and ") || "none"}`,
    });
  if (draws) return effectsOfDraws(where, draws, fields);
  if (!mean)
    throw new RatewiseError("domain", {
      at: where,
      what: `needs mean together with ${given[0]}, got none`,
    });
  const p = checkShape(mean, "numbers", [null])[0];
  checkFinite(mean);
  const names = namesOf(where, p, fields.names);
  if (covariance) {
    if (fields.noise)
      throw new RatewiseError("domain", {
        at: fields.noise.where,
        what: "needs a factor, got a covariance",
        advice: "add the noise to its diagonal",
      });
    checkShape(covariance, `rows and ${p} columns, as many as mean`, [p, p]);
    checkFinite(covariance);
    return within(covariance.where, () =>
      effectsFromCovariance(mean.data, matrix(p, p, covariance.data), names),
    );
  }
  const [, l] = checkShape(factor!, `rows, as many as mean`, [p, null]);
  checkFinite(factor!);
  const options = { ...names, ...noiseOf(p, fields) };
  return within(where, () => effectsFromFactor(mean.data, matrix(p, l, factor!.data), options));
}

function effectsOfDraws(where: string, draws: NumberField, fields: PosteriorFields): EffectSizes {
  if (fields.mean)
    throw new RatewiseError("domain", {
      at: where,
      what: "give draws or a mean, not both",
    });
  const [s, p] = checkShape(draws, "rows of draws", [null, null]);
  checkFinite(draws);
  const options = { ...namesOf(where, p, fields.names), ...noiseOf(p, fields) };
  return within(draws.where, () => effectsFromDraws(matrix(s, p, draws.data), options));
}

/** Sizes that are null may be anything. */
function checkShape(
  { where, shape }: NumberField,
  needed: string,
  sizes: readonly (number | null)[],
): readonly number[] {
  const fits = shape.length === sizes.length && sizes.every((n, d) => n === null || n === shape[d]);
  if (fits) return shape;
  const first = sizes[0] === null ? "" : `${sizes[0]} `;
  const dimensions = `in ${sizes.length} dimension${sizes.length === 1 ? "" : "s"}`;
  throw shapeError(where, `${first}${needed} (${dimensions})`, `shape (${shape.join(", ")})`);
}

function noiseOf(p: number, { noise }: PosteriorFields): { noise?: Float64Array } {
  if (!noise) return {};
  checkShape(noise, "variances, one per variable", [p]);
  checkFinite(noise);
  const at = noise.data.findIndex((value) => value < 0);
  if (at >= 0)
    throw new RatewiseError("domain", {
      at: `${noise.where}[${at}]`,
      what: `needs a variance of at least 0, got ${noise.data[at]}`,
    });
  return { noise: noise.data };
}

function namesOf(
  where: string,
  p: number,
  field: NameField | undefined,
): { names?: readonly string[] } {
  if (p < 2)
    throw shapeError(
      where,
      "at least 2 variables, because importance is relative to others",
      `${p}`,
    );
  if (!field) return {};
  const { names } = field;
  if (names.length !== p)
    throw shapeError(field.where, `${p} names, one per variable`, `${names.length}`);
  const empty = names.indexOf("");
  if (empty >= 0)
    throw new RatewiseError("domain", {
      at: `${field.where}[${empty}]`,
      what: "needs a name, got an empty text",
    });
  within(field.where, () => indexNames(names));
  return { names };
}

/** NaN and infinities, with their place. */
function checkFinite({ where, shape, data }: NumberField): void {
  const at = firstNonFinite(data);
  if (at < 0) return;
  const columns = shape[1] ?? 1;
  const place = shape.length === 1 ? `[${at}]` : `[${Math.floor(at / columns)}][${at % columns}]`;
  throw new RatewiseError("domain", {
    at: `${where}${place}`,
    what: `needs a finite number, got ${data[at]}`,
  });
}
