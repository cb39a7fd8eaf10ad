/** DEL, C1 controls, and what changes the direction or hides: harmless in a file, not on a terminal. */
const UNSAFE =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** JSON.stringify, with every character that could command a terminal written as an escape. NaN becomes null. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
