import { fieldsLeftOut, renamedWords } from "./renamed.mjs";

const escaped = (word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const renames = renamedWords.map(([from, to]) => [
  new RegExp(`(?<![\\w-])${escaped(from)}(?![\\w-])`, "g"),
  to,
]);

/** A text with every renamed word under its new name. */
export const underNewNames = (text) =>
  renames.reduce((changed, [pattern, to]) => changed.replaceAll(pattern, to), text);

/** A document under new names, without the fields that hold no answer, its fields in order of their names. */
export function essence(value) {
  if (typeof value === "string") return underNewNames(value);
  if (Array.isArray(value)) return value.map(essence);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value)
    .filter(([key]) => !fieldsLeftOut.includes(key))
    .map(([key, part]) => [underNewNames(key), essence(part)]);
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** Where two essences first differ, as a path with both values; null where they do not. */
export function firstDifference(a, b, path = "") {
  if (Object.is(a, b)) return null;
  const both = [a, b];
  if (both.some((value) => value === null || typeof value !== "object"))
    return `${path || "the whole"}: ${both.map(shown).join(" became ")}`;
  for (const key of new Set(both.flatMap(Object.keys))) {
    const within = path ? `${path}.${key}` : key;
    const holders = both.map((value) => Object.hasOwn(value, key));
    if (holders[0] !== holders[1]) return `${within}: ${holders[0] ? "is gone" : "is new"}`;
    const found = firstDifference(a[key], b[key], within);
    if (found) return found;
  }
  return null;
}

const shown = (value) => {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
};
