import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export const s3Keys = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI",
  region: "test-1",
};

export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  close(): Promise<void>;
}

/** The part of S3 that a store needs (put, get, head, delete, list in pages of 3), with every signature checked after AWS' description of version 4. */
export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const address = new URL(request.url!, "http://localhost");
    const answer = (status: number, text: string | Buffer = ""): void => {
      response.writeHead(status, { "content-type": "application/xml" });
      response.end(request.method === "HEAD" ? undefined : text);
    };
    if (!isSigned(request, address, body))
      return answer(403, "<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>");
    const [, bucket, ...rest] = decodeURIComponent(address.pathname).split("/");
    if (bucket !== "bucket") return answer(404, "<Error><Code>NoSuchBucket</Code></Error>");
    const key = rest.join("/");
    if (key === "") return answer(200, listing(objects, address.searchParams));
    if (request.method === "PUT") {
      objects.set(key, body);
      return answer(200);
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return answer(204);
    }
    const object = objects.get(key);
    return object ? answer(200, object) : answer(404, "<Error><Code>NoSuchKey</Code></Error>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function listing(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const after = query.get("continuation-token") ?? "";
  const names = [...objects.keys()]
    .filter((name) => name.startsWith(query.get("prefix") ?? "") && name > after)
    .sort();
  const page = names.slice(0, 3);
  const more = names.length > 3 ? `<NextContinuationToken>${page[2]}</NextContinuationToken>` : "";
  return `<ListBucketResult>${page.map((name) => `<Contents><Key>${name}</Key></Contents>`).join("")}${more}</ListBucketResult>`;
}

function isSigned({ method, headers }: IncomingMessage, address: URL, body: Buffer): boolean {
  const [, scope, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/(\S+), ?SignedHeaders=(\S+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  if (signature === undefined) return false;
  const hash = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");
  const stated = headers["x-amz-content-sha256"];
  if (stated !== "UNSIGNED-PAYLOAD" && stated !== hash(body)) return false;
  const query = [...address.searchParams]
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .sort()
    .join("&");
  const canonical = [
    method,
    address.pathname,
    query,
    ...names.split(";").map((name) => `${name}:${headers[name]}`),
    "",
    names,
    stated,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash(canonical)].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>(
      (secret, part) => createHmac("sha256", secret).update(part).digest(),
      `AWS4${s3Keys.secretAccessKey}`,
    );
  return createHmac("sha256", key).update(toSign).digest("hex") === signature;
}
