/**
 * What may differ between two recordings of the same numbers. Every entry needs a reason: whatever stands
 * here is not compared, or compared under its new name.
 */

/** Words that were renamed, old and new: names and texts in JSON, cells of CSV, labels of figures. */
export const renamedWords = [
  // The method of `compare` that ranks by slopes.
  ["gradient-rate", "gradient"],
];

/** Functions of the library that were renamed: the old name, which the calls use, and the new ones. */
export const renamedFunctions = {};

/** Fields of documents that hold no answer: sentences, versions, and times of the clock. */
export const fieldsLeftOut = ["message", "reason", "version", "schema", "seconds"];

/** Columns of printed tables that hold times of the clock. */
export const columnsLeftOut = ["seconds"];
