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

/**
 * Answers of calls whose fields lie elsewhere now or are gone: how a recording of before becomes the answer of
 * now. Answers of now stay as they are, and every number that is left is compared.
 */
export const reshapedAnswers = {
  // The standard errors of the losses in cross-validation chose nothing and were shown nowhere.
  "call-group-lasso-path": ({ crossed: { standardError, ...crossed }, ...answer }) => ({
    ...answer,
    crossed,
  }),
  // parseLibsvm gives its rows as the sparse matrix that all of core takes, under X, with 32-bit whole numbers.
  "call-tables-groups-and-files": (answer) => ({ ...answer, sparse: underX(answer.sparse) }),
};

function underX(sparse) {
  if (sparse.X) return sparse;
  const { labels, base, starts, indices, columns, values } = sparse;
  const whole = (array) => ({ Int32Array: Object.values(array)[0] });
  const rows = Object.values(labels)[0].length;
  const X = { rows, cols: columns, starts: whole(starts), columns: whole(indices), values };
  return { labels, X, base };
}

/** Columns of printed tables that hold times of the clock. */
export const columnsLeftOut = ["seconds"];
