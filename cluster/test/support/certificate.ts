import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An authority of our own, and a server's certificate for 127.0.0.1 that it has signed. */
export interface Certificate {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Makes both below `folder`, good for a day. */
export function newCertificate(folder: string): Certificate {
  mkdirSync(folder, { recursive: true });
  const openssl = (line: string): void => {
    execFileSync("openssl", line.split(" "), { cwd: folder, stdio: "pipe" });
  };
  openssl(
    "req -x509 -newkey rsa:2048 -nodes -days 1 -keyout ca.key -out ca.pem -subj /CN=authority",
  );
  openssl("req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=127.0.0.1");
  writeFileSync(join(folder, "names"), "subjectAltName=IP:127.0.0.1\n");
  openssl(
    "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 1 -out server.pem -extfile names",
  );
  const [authority, certificate, key] = ["ca.pem", "server.pem", "server.key"].map((name) =>
    join(folder, name),
  );
  chmodSync(key, 0o600);
  return { authority, certificate, key };
}
