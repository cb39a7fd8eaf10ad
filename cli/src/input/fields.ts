import { RatewiseError } from "@ratewise/core";
import { type NpyArray, readNpy, type VariableGroup } from "@ratewise/core/data";
import { within } from "@ratewise/files";

/** Numbers of a posterior as they stood in a file. */
export interface NumberField {
  /** The file and the field, for messages. */
  readonly where: string;
  readonly shape: readonly number[];
  /** In C order. */
  readonly data: Float64Array;
}

export interface NameField {
  readonly where: string;
  readonly names: readonly string[];
}

/** Groups can only be made once the names of the variables are known. */
export type GroupField = (index: ReadonlyMap<string, number>) => readonly VariableGroup[];

/** What was given, before anything is known to fit. */
export interface PosteriorFields {
  readonly mean?: NumberField;
  readonly factor?: NumberField;
  readonly noise?: NumberField;
  readonly covariance?: NumberField;
  readonly draws?: NumberField;
  readonly names?: NameField;
  readonly groups?: GroupField;
}

export const numberFields = ["mean", "factor", "noise", "covariance", "draws"] as const;
export const allFields: readonly string[] = [...numberFields, "names", "groups"];

/** An array of numbers as doubles, without a copy where it holds doubles already. */
export function numberField(where: string, { shape, data }: NpyArray): NumberField {
  if (data instanceof Float64Array) return { where, shape, data };
  if (!ArrayBuffer.isView(data))
    throw new RatewiseError("domain", { at: where, what: "needs numbers, got text" });
  return { where, shape, data: Float64Array.from(data) };
}

/** One text a variable. */
export function textList(where: string, { shape, data }: NpyArray): readonly string[] {
  if (ArrayBuffer.isView(data) || shape.length !== 1)
    throw new RatewiseError("domain", {
      at: where,
      what: `needs a list of texts, got ${ArrayBuffer.isView(data) ? "numbers" : "a table"}`,
    });
  return data as readonly string[];
}

/** A field that stands alone in a .npy file. */
export function fieldOfNpy(path: string, bytes: Uint8Array): NumberField {
  return numberField(
    path,
    within(path, () => readNpy(bytes)),
  );
}
