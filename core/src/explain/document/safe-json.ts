/** DEL, C1 controls, and what changes the direction or hides: harmless in a file, not on a terminal. */
const UNSAFE =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** JSON with every character that could command a terminal written as an escape; its meaning stays. */
export function escapeUnsafe(json: string): string {
  return json.replace(
    UNSAFE,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A value as such JSON. NaN becomes null. */
export function safeJson(value: unknown): string {
  return escapeUnsafe(JSON.stringify(value));
}
