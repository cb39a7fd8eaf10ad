import { RatewiseError } from "@ratewise/core";
import type { AwsClient } from "aws4fetch";
import { bucketClient } from "./clients.ts";
import { checkName, type Store } from "./store.ts";

export interface S3Options {
  readonly bucket: string;
  /** Before every name; "" for none. */
  readonly prefix: string;
  /** Such as https://s3.eu-central-1.amazonaws.com, or a MinIO's address. Buckets are a part of the path, which every such storage takes. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Waits before a request whose connection failed is made again, ms; answers of an overloaded storage are tried again by the client itself. */
const AGAIN_MS = [100, 400, 1600];

/** A bucket of an S3-compatible storage, whose single puts are atomic and durable, and seen by all once they are answered. */
export function s3Store({ bucket, prefix, endpoint, ...credentials }: S3Options): Store {
  let client: AwsClient | undefined;
  const base = `${endpoint.replace(/\/$/, "")}/${bucket}`;
  const keyOf = (name: string): string => (prefix === "" ? name : `${prefix}/${name}`);
  const fetched = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { AwsClient } = await bucketClient(`s3://${bucket}`);
    client ??= new AwsClient({ ...credentials, service: "s3", retries: 5 });
    for (let tried = 0; ; tried++)
      try {
        return await client.fetch(address, init);
      } catch (error) {
        const { cause } = error as { cause?: NodeJS.ErrnoException };
        if (tried === AGAIN_MS.length)
          throw new RatewiseError("file", {
            at: "store",
            what: `${base} cannot be reached (${cause?.code ?? cause?.message ?? (error as Error).message})`,
            advice: "look at AWS_ENDPOINT_URL_S3",
            store: base,
          });
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS[tried]));
      }
  };
  const request = async (
    method: string,
    name: string,
    body?: Uint8Array,
  ): Promise<Response | undefined> => {
    const response = await fetched(`${base}/${keyOf(checkName(name))}`, {
      method,
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    });
    if (response.status === 404) return undefined;
    if (!response.ok) throw refused(method, base, response.status, await response.text());
    return response;
  };
  return {
    location: `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`,
    async get(name) {
      const response = await request("GET", name);
      return response && new Uint8Array(await response.arrayBuffer());
    },
    has: async (name) => (await request("HEAD", name)) !== undefined,
    async put(name, bytes) {
      if (!(await request("PUT", name, bytes)))
        throw refused("PUT", base, 404, "there is no such bucket");
    },
    async list(folder) {
      const names: string[] = [];
      let token: string | undefined;
      do {
        const query = new URLSearchParams({
          "list-type": "2",
          prefix: keyOf(`${checkName(folder)}/`),
        });
        if (token !== undefined) query.set("continuation-token", token);
        const response = await fetched(`${base}?${query}`);
        const page = await response.text();
        if (!response.ok) throw refused("LIST", base, response.status, page);
        for (const [, key] of page.matchAll(/<Key>([^<]*)<\/Key>/g))
          names.push(unescapeXml(key).slice(keyOf("").length));
        token = /<NextContinuationToken>([^<]*)</.exec(page)?.[1];
        if (token !== undefined) token = unescapeXml(token);
      } while (token !== undefined);
      return names.sort();
    },
    async remove(name) {
      await request("DELETE", name);
    },
  };
}

function refused(method: string, where: string, status: number, body: string): RatewiseError {
  const reason = /<Message>([^<]*)</.exec(body)?.[1] ?? /<Code>([^<]*)</.exec(body)?.[1] ?? body;
  return new RatewiseError("file", {
    at: "store",
    what: `${where} answered ${method} with ${status}${reason ? ` (${unescapeXml(reason.slice(0, 200))})` : ""}`,
    advice: "look at the bucket, the region and the keys in the environment",
    store: where,
    status,
  });
}

function unescapeXml(text: string): string {
  const named: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => named[name]);
}
