import { elementTypes } from "../model.ts";
import { readNumbers, sizeOf, tensor } from "../tensor.ts";
import { inputOf, integerOf, misuse, type Operator, type OperatorTable } from "./operator.ts";

const constant: Operator = {
  forward: (call) => {
    const { attributes } = call.node;
    const value = attributes.get("value")?.tensor;
    if (value) return readNumbers(value);
    const single = attributes.get("value_float")?.float ?? attributes.get("value_int")?.integer;
    if (single !== undefined && single !== null) return tensor([], Float64Array.of(single));
    const list = attributes.get("value_floats")?.floats ?? attributes.get("value_ints")?.integers;
    if (list) return tensor([list.length], Float64Array.from(list));
    throw misuse(call, "holds no numbers");
  },
};

const constantOfShape: Operator = {
  forward: (call) => {
    const dims = [...inputOf(call, 0).data];
    const value = call.node.attributes.get("value")?.tensor;
    return tensor(
      dims,
      new Float64Array(sizeOf(dims)).fill(value ? readNumbers(value).data[0] : 0),
    );
  },
};

const shape: Operator = {
  forward: (call) => {
    const { dims } = inputOf(call, 0);
    const rank = dims.length;
    const part = dims.slice(integerOf(call, "start", 0), integerOf(call, "end", rank));
    return tensor([part.length], Float64Array.from(part));
  },
};

const floating: ReadonlySet<number> = new Set([
  elementTypes.float,
  elementTypes.double,
  elementTypes.float16,
  elementTypes.bfloat16,
]);

/** Between precisions the numbers are kept as they are; towards whole numbers they are cut. */
const cast: Operator = {
  forward: (call) => {
    const x = inputOf(call, 0);
    const to = integerOf(call, "to", 0);
    if (floating.has(to)) return x;
    const whole = to === elementTypes.bool ? (v: number) => (v === 0 ? 0 : 1) : Math.trunc;
    return { dims: x.dims, data: x.data.map(whole) };
  },
  backward: (call, _, slope) => [floating.has(integerOf(call, "to", 0)) ? slope : null],
  relevance: "follow",
};

export const constants: OperatorTable = {
  Constant: constant,
  ConstantOfShape: constantOfShape,
  Shape: shape,
  Cast: cast,
};
