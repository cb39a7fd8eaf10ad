/** The colours of a figure. In a page they may be CSS variables, so that one drawing serves light and dark. */
export interface Palette {
  /** Text and axes. */
  readonly ink: string;
  /** Lines that should not draw the eye. */
  readonly faint: string;
  readonly background: string;
  /** RATE: moves with the prediction. */
  readonly rate: string;
  /** Direct: is used by the model. */
  readonly direct: string;
  /** Classes, methods: told apart by colour and by a name at the end of the line. */
  readonly several: readonly string[];
}

/** After Okabe and Ito (2008), darkened for text on white: told apart with any colour vision. */
export const lightPalette: Palette = {
  ink: "#1c2733",
  faint: "#c3ccd5",
  background: "#ffffff",
  rate: "#0062a3",
  direct: "#c24f00",
  several: [
    "#0062a3",
    "#c24f00",
    "#00785a",
    "#a3477d",
    "#8a6d00",
    "#3b7fb5",
    "#6b4fa0",
    "#5a6570",
    "#9c2f2f",
    "#2d6b2d",
  ],
};
