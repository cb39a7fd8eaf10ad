/** A tensor of an ONNX file. */
export interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/**
 * The weights (initialisers) of an ONNX file in their order, singles with raw data only: as much of the
 * format as the reference networks need.
 */
export function onnxWeights(bytes: Uint8Array): Tensor[] {
  const graph = fields(bytes).find(({ number }) => number === 7);
  if (!graph) throw new Error("onnxWeights: the file holds no graph");
  return fields(graph.bytes)
    .filter(({ number }) => number === 5)
    .map(({ bytes }) => tensor(bytes))
    .filter(({ data }) => data.length > 0);
}

interface Field {
  readonly number: number;
  readonly value: number;
  readonly bytes: Uint8Array;
}

function tensor(bytes: Uint8Array): Tensor {
  const parts = fields(bytes);
  const dims = parts.filter(({ number }) => number === 1);
  const single = parts.find(({ number }) => number === 2)?.value === 1;
  const name = parts.find(({ number }) => number === 8)?.bytes;
  const raw = parts.find(({ number }) => number === 9)?.bytes ?? new Uint8Array();
  return {
    name: new TextDecoder().decode(name),
    shape: dims.flatMap(({ value, bytes }) => (bytes.length ? packed(bytes) : [value])),
    data: single ? new Float32Array(Uint8Array.from(raw).buffer) : new Float32Array(),
  };
}

/** The fields of a protocol buffer message: varints and what has a length; others are passed over. */
function fields(bytes: Uint8Array): Field[] {
  const out: Field[] = [];
  const none = new Uint8Array();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const kind = tag % 8;
    if (kind === 0) out.push({ number, value: varint(), bytes: none });
    else if (kind === 2) {
      const length = varint();
      out.push({ number, value: 0, bytes: bytes.subarray(at, at + length) });
      at += length;
    } else at += kind === 1 ? 8 : 4;
  }
  return out;
}

function packed(bytes: Uint8Array): number[] {
  const out: number[] = [];
  let value = 0;
  let scale = 1;
  for (const byte of bytes) {
    value += (byte & 127) * scale;
    scale *= 128;
    if (byte < 128) {
      out.push(value);
      value = 0;
      scale = 1;
    }
  }
  return out;
}
