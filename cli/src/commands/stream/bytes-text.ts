/** An amount for people. */
export function bytesText(bytes: number): string {
  if (bytes < 2 ** 20) return `${Math.ceil(bytes / 2 ** 10)} KB`;
  if (bytes < 2 ** 30) return `${Math.ceil(bytes / 2 ** 20)} MB`;
  return `${(bytes / 2 ** 30).toFixed(1)} GB`;
}
