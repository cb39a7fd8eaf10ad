/** An answer as JSON that keeps every bit: typed arrays by their type, and what JSON has no word for. */
export const plainText = (answer) => `${JSON.stringify(plain(answer), null, 1)}\n`;

function plain(value) {
  if (typeof value === "number") return plainNumber(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(plain);
  if (ArrayBuffer.isView(value))
    return { [value.constructor.name]: Array.from(value, plainNumber) };
  if (value instanceof Map) return plain([...value]);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
}

const plainNumber = (value) =>
  Number.isFinite(value) && !Object.is(value, -0)
    ? value
    : `${Object.is(value, -0) ? "-0" : value}`;
