import { type Call, integerOf, integersOf, misuse, textOf } from "./operator.ts";

/** Windows that slide over an image; a line is an image of height 1. */
export interface Windows {
  readonly inHeight: number;
  readonly inWidth: number;
  readonly height: number;
  readonly width: number;
  readonly outHeight: number;
  readonly outWidth: number;
  readonly strideY: number;
  readonly strideX: number;
  readonly dilationY: number;
  readonly dilationX: number;
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

interface Axis {
  readonly out: number;
  readonly stride: number;
  readonly dilation: number;
  readonly before: number;
  readonly after: number;
}

/** The windows of a convolution or pooling over (rows, channels, height, width) or (rows, channels, width). */
export function windowsOf(call: Call, dims: readonly number[], kernel: readonly number[]): Windows {
  const spatial = dims.slice(2);
  if (spatial.length !== kernel.length || spatial.length < 1 || spatial.length > 2)
    throw misuse(
      call,
      `is known in 1 and 2 dimensions, got (${dims.join(", ")}) with a kernel of ${kernel.join("×")}`,
    );
  const axes = spatial.map((length, k) => axisWindows(call, length, kernel[k], k, spatial.length));
  const still: Axis = { out: 1, stride: 1, dilation: 1, before: 0, after: 0 };
  const [y, x] = axes.length === 2 ? axes : [still, axes[0]];
  return {
    inHeight: axes.length === 2 ? spatial[0] : 1,
    inWidth: spatial[spatial.length - 1],
    height: axes.length === 2 ? kernel[0] : 1,
    width: kernel[kernel.length - 1],
    outHeight: y.out,
    outWidth: x.out,
    strideY: y.stride,
    strideX: x.stride,
    dilationY: y.dilation,
    dilationX: x.dilation,
    top: y.before,
    left: x.before,
    bottom: y.after,
    right: x.after,
  };
}

/** The dimensions after rows and channels that come out. */
export function spatialOut(call: Call, rank: number, windows: Windows): number[] {
  if (rank === 3) return [windows.outWidth];
  if (rank === 4) return [windows.outHeight, windows.outWidth];
  throw misuse(call, `is known in 1 and 2 dimensions, got ${rank - 2}`);
}

function axisWindows(call: Call, length: number, kernel: number, k: number, axes: number): Axis {
  const at = (name: string, place: number, otherwise: number) => {
    const list = integersOf(call, name);
    return list && list.length > 0 ? list[place] : otherwise;
  };
  const stride = at("strides", k, 1);
  const dilation = at("dilations", k, 1);
  const extent = dilation * (kernel - 1) + 1;
  const auto = textOf(call, "auto_pad", "NOTSET");
  let before = at("pads", k, 0);
  let after = at("pads", k + axes, 0);
  if (!(kernel >= 1 && stride >= 1 && dilation >= 1 && before >= 0 && after >= 0))
    throw misuse(
      call,
      "needs a kernel, strides and dilations of at least 1, and no negative padding",
    );
  if (auto === "VALID") before = after = 0;
  if (auto === "SAME_UPPER" || auto === "SAME_LOWER") {
    const missing = Math.max(0, (Math.ceil(length / stride) - 1) * stride + extent - length);
    before = auto === "SAME_UPPER" ? Math.floor(missing / 2) : Math.ceil(missing / 2);
    after = missing - before;
  }
  const steps = (length + before + after - extent) / stride;
  let out = Math.floor(steps) + 1;
  if (integerOf(call, "ceil_mode", 0) !== 0) {
    out = Math.ceil(steps) + 1;
    // A window has to begin inside the image or the padding before it.
    if ((out - 1) * stride >= length + before) out--;
  }
  if (!(out >= 1))
    throw misuse(call, `needs at least ${extent - before - after} cells, got ${length}`);
  return { out, stride, dilation, before, after };
}
