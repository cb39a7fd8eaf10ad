import { join } from "node:path";

/** Where `ratewise data get` puts what it fetched: `RATEWISE_CACHE`, or the place the XDG specification has for such files. */
export function dataCache(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  if (environment.RATEWISE_CACHE) return environment.RATEWISE_CACHE;
  return join(environment.XDG_CACHE_HOME || join(home, ".cache"), "ratewise", "data");
}
