/** Just enough of protobuf to write a small network: a field is a varint, a float or bytes. */
const varint = (value) => {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
};
const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field, ...parts) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(field * 8 + 2), varint(body.length), body]);
};

const FLOAT = 1;
const UNKNOWN_ROWS = "n";

const tensor = (name, { dims, data }) =>
  bytes(
    5,
    ...dims.map((size) => number(1, size)),
    number(2, FLOAT),
    bytes(8, name),
    bytes(9, Buffer.from(Float32Array.from(data).buffer)),
  );

const node = ([op, inputs, output]) =>
  bytes(
    1,
    ...inputs.map((name) => bytes(1, name)),
    bytes(2, output),
    bytes(3, `${op}-${output}`),
    bytes(4, op),
  );

const valueInfo = (field, name, dims) => {
  const sizes = [bytes(2, UNKNOWN_ROWS), ...dims.map((size) => number(1, size))];
  const shape = bytes(2, ...sizes.map((size) => bytes(1, size)));
  return bytes(field, bytes(1, name), bytes(2, bytes(1, number(1, FLOAT), shape)));
};

/** An ONNX file: `nodes` as [operator, inputs, output], the input called x, the output y. */
export function onnxFile({ inputs, outputs, weights, nodes }) {
  const graph = [
    ...nodes.map(node),
    bytes(2, "network"),
    ...Object.entries(weights).map(([name, values]) => tensor(name, values)),
    valueInfo(11, "x", inputs),
    valueInfo(12, "y", outputs),
  ];
  return Buffer.concat([
    number(1, 8),
    bytes(2, "same-answers"),
    bytes(7, ...graph),
    bytes(8, bytes(1, ""), number(2, 17)),
  ]);
}
