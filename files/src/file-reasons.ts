import { RatewiseError } from "@ratewise/core";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "needs a file, got a folder",
  EACCES: "may not be read or written (permission denied)",
  EPERM: "may not be read or written (permission denied)",
  EROFS: "lies where nothing can be written",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk has no more room for this user",
  EFBIG: "a file would be larger than files may be here",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "the links go in a circle",
};

/** A failure of the file system, as a line that names the file and says why. */
export async function withReason<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof RangeError)
      throw new RatewiseError("memory", { at: path, what: "too large to be read at once", path });
    if (error instanceof RatewiseError || code === undefined) throw error;
    throw new RatewiseError("file", {
      at: path,
      what: reasons[code] ?? (error as Error).message,
      path,
      code,
      cause: error,
    });
  }
}
