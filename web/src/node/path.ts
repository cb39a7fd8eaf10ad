/** What the commands use of `node:path`, for files that have a name and no folder. */

export const sep = "/";

export function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function dirname(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? "." : path.slice(0, end);
}

export function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "" && part !== ".").join("/");
}

export function resolve(path: string): string {
  return path;
}
