/** What RATE is, in the words that page and terminal use everywhere. */
export const rateInWords = "how much a variable goes along with what the model predicts";
/** What the direct share is, likewise. */
export const directInWords =
  "how much the model uses the variable itself: how its prediction changes when that variable alone changes";
