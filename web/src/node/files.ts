/** What the commands use of `node:fs/promises`: dropped files are no links. */
export async function realpath(path: string): Promise<string> {
  return path;
}
