/** Pictures are made from the SVG by the page itself when somebody saves one. */
export function figurePng(): Uint8Array {
  return new Uint8Array(0);
}
