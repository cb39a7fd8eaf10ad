import { RatewiseError } from "@ratewise/core";

/** Whatever a decoder throws on damaged bytes, as an error about the place it was reading; `what` is what the file should have been. */
export async function decoding<T>(
  place: string,
  what: "Parquet file" | "Zarr array",
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof RatewiseError) throw error;
    throw new RatewiseError("parse", {
      at: place,
      what: `needs a whole ${what}, got one that is damaged or of another kind (${(error as Error).message})`,
      cause: error,
    });
  }
}
