/**
 * An image in a row of X, channels last: pixel (y, x) of channel c is column (y·width + x)·channels + c.
 */
export interface ImageShape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

/** One number for both directions, or [vertical, horizontal]. */
export type Extent = number | readonly [number, number];

/** Cells of zero around an image: as many on every side, or [top, left, bottom, right]. */
export type Padding = number | readonly [number, number, number, number];

/** How a window moves over an image, as a layer says it. */
export interface WindowSpec {
  readonly kernel: Extent;
  readonly stride: Extent;
  readonly padding: Padding;
}

/** The same with every number worked out, and the sizes of the images before and after. */
export interface Window extends ImageShape {
  readonly outHeight: number;
  readonly outWidth: number;
  readonly kernelHeight: number;
  readonly kernelWidth: number;
  readonly strideY: number;
  readonly strideX: number;
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** ⌊(size + padding − kernel)/stride⌋ + 1 places in each direction. */
export function windowOver(image: ImageShape, { kernel, stride, padding }: WindowSpec): Window {
  const [kernelHeight, kernelWidth] = pair(kernel);
  const [strideY, strideX] = pair(stride);
  const [top, left, bottom, right] =
    typeof padding === "number" ? [padding, padding, padding, padding] : padding;
  return {
    ...image,
    outHeight: Math.floor((image.height + top + bottom - kernelHeight) / strideY) + 1,
    outWidth: Math.floor((image.width + left + right - kernelWidth) / strideX) + 1,
    kernelHeight,
    kernelWidth,
    strideY,
    strideX,
    top,
    left,
    bottom,
    right,
  };
}

/** The number of places a window takes. */
export function positionsOf({ outHeight, outWidth }: Window): number {
  return outHeight * outWidth;
}

/** The number of cells under a window, over all channels. */
export function patchSize({ kernelHeight, kernelWidth, channels }: Window): number {
  return kernelHeight * kernelWidth * channels;
}

/** Columns of an image. */
export function pixelCount({ height, width, channels }: ImageShape): number {
  return height * width * channels;
}

/**
 * Calls `visit` with a place of the window, a cell of its kernel and a channel, and the column of the
 * image under it; cells outside the image are left out. Convolution and pooling as they are defined.
 */
export function eachCell(
  window: Window,
  visit: (place: number, cell: number, channel: number, column: number) => void,
): void {
  const { height, width, channels, outHeight, outWidth, kernelHeight, kernelWidth } = window;
  for (let oy = 0; oy < outHeight; oy++)
    for (let ox = 0; ox < outWidth; ox++)
      for (let ky = 0; ky < kernelHeight; ky++)
        for (let kx = 0; kx < kernelWidth; kx++) {
          const y = oy * window.strideY + ky - window.top;
          const x = ox * window.strideX + kx - window.left;
          if (y < 0 || y >= height || x < 0 || x >= width) continue;
          for (let c = 0; c < channels; c++)
            visit(oy * outWidth + ox, ky * kernelWidth + kx, c, (y * width + x) * channels + c);
        }
}

function pair(extent: Extent): readonly [number, number] {
  return typeof extent === "number" ? [extent, extent] : extent;
}
