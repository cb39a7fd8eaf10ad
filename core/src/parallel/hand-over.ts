/** A message and the buffers in it that move rather than being copied. */
export interface HandOver {
  readonly value: unknown;
  readonly transfer: ArrayBuffer[];
}

/**
 * Prepares data for another thread. A view of part of a buffer is cut to a buffer of its own: cloning
 * would send the whole buffer, be it all of WebAssembly's memory. Such cuts move, and so does
 * everything else when `owned`: the arrays are the sender's to give away. Shared memory stays shared.
 */
export function handOver(value: unknown, owned: boolean): HandOver {
  const transfer = new Set<ArrayBuffer>();
  const prepared = new Map<object, unknown>();

  const prepare = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (prepared.has(value)) return prepared.get(value);
    prepared.set(value, value);
    const ready = prepareObject(value);
    prepared.set(value, ready);
    return ready;
  };

  const prepareObject = (value: object): unknown => {
    if (ArrayBuffer.isView(value)) {
      const { buffer } = value;
      if (!(buffer instanceof ArrayBuffer) || value instanceof DataView) return value;
      if (value.byteLength === buffer.byteLength) {
        if (owned) transfer.add(buffer);
        return value;
      }
      const cut = (value as Uint8Array<ArrayBuffer>).slice();
      transfer.add(cut.buffer);
      return cut;
    }
    if (value instanceof ArrayBuffer) {
      if (owned) transfer.add(value);
      return value;
    }
    if (Array.isArray(value)) {
      const items = value.map(prepare);
      return items.some((item, i) => item !== value[i]) ? items : value;
    }
    if (Object.getPrototypeOf(value) === Object.prototype) {
      const before = Object.entries(value);
      const after = before.map(([name, entry]) => [name, prepare(entry)] as const);
      return after.some(([, entry], i) => entry !== before[i][1])
        ? Object.fromEntries(after)
        : value;
    }
    return value;
  };

  return { value: prepare(value), transfer: [...transfer] };
}
