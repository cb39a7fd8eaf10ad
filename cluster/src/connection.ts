import { readFileSync } from "node:fs";
import { RatewiseError } from "@ratewise/core";
import { type Environment, withoutCredentials } from "./open-store.ts";

/** Where tasks are run, as `--on` says it. */
export type Engine =
  | { readonly kind: "redis"; readonly on: string; readonly options: RedisSettings }
  | { readonly kind: "postgres"; readonly on: string; readonly options: PostgresSettings }
  | { readonly kind: "slurm"; readonly on: string };

interface TlsSettings {
  readonly servername?: string;
  readonly ca?: string;
}

export interface RedisSettings {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: TlsSettings;
}

export interface PostgresSettings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  readonly ssl?: TlsSettings & { readonly rejectUnauthorized: true };
}

/** All but the first are TLS with everything verified. */
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"];

/**
 * Reads `redis://host:6379/0`, `rediss://` (TLS), `valkey://`, `valkeys://`, `postgres://host:5432/database?sslmode=verify-full` and `slurm`. User and
 * password come from the environment alone (RATEWISE_REDIS_USERNAME, RATEWISE_REDIS_PASSWORD, PGUSER, PGPASSWORD): what stands in a command line
 * is seen by everybody on the machine and kept in histories. TLS always verifies; RATEWISE_CA names a file of further authorities.
 */
export function parseEngine(on: string, environment: Environment): Engine {
  if (on === "slurm") return { kind: "slurm", on };
  let address: URL;
  try {
    address = new URL(on);
  } catch {
    throw needs(on);
  }
  const { protocol, hostname, username, password, pathname, searchParams } = address;
  if (username !== "" || password !== "")
    throw new RatewiseError("usage", {
      what: `--on needs an address without user and password, got ${withoutCredentials(on)}`,
      advice: `set ${/^postgres/.test(on) ? "PGUSER and PGPASSWORD" : "RATEWISE_REDIS_USERNAME and RATEWISE_REDIS_PASSWORD"} in the environment`,
    });
  const host = hostname.replace(/^\[(.*)\]$/, "$1") || "127.0.0.1";
  const authority = environment.RATEWISE_CA;
  const tls: TlsSettings = {
    ...(!/^[\d.:]+$/.test(host) && { servername: host }),
    ...(authority && { ca: readAuthority(authority) }),
  };
  switch (protocol) {
    case "redis:":
    case "valkey:":
    case "rediss:":
    case "valkeys:": {
      const db = pathname === "" || pathname === "/" ? 0 : Number(pathname.slice(1));
      if (!Number.isInteger(db)) throw needs(on);
      const { RATEWISE_REDIS_USERNAME: user, RATEWISE_REDIS_PASSWORD: secret } = environment;
      return {
        kind: "redis",
        on,
        options: {
          host,
          port: Number(address.port || 6379),
          db,
          ...(user && { username: user }),
          ...(secret && { password: secret }),
          ...((protocol === "rediss:" || protocol === "valkeys:") && { tls }),
        },
      };
    }
    case "postgres:":
    case "postgresql:": {
      const mode = searchParams.get("sslmode") ?? "disable";
      if (!SSL_MODES.includes(mode))
        throw new RatewiseError("usage", {
          what: `--on needs sslmode=${SSL_MODES.join(", ")}, got "${mode}", which might continue without TLS`,
        });
      const database = pathname.slice(1) || environment.PGDATABASE || "ratewise";
      const { PGPASSWORD: secret } = environment;
      return {
        kind: "postgres",
        on,
        options: {
          host,
          port: Number(address.port || 5432),
          database,
          user: environment.PGUSER ?? environment.USER ?? "postgres",
          ...(secret && { password: secret }),
          ...(mode !== "disable" && { ssl: { ...tls, rejectUnauthorized: true } }),
        },
      };
    }
    default:
      throw needs(on);
  }
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new RatewiseError("file", {
      at: "RATEWISE_CA",
      what: `${path} cannot be read (${(error as Error).message})`,
    });
  }
}

function needs(on: string): RatewiseError {
  return new RatewiseError("usage", {
    what: `--on needs local, redis://host:6379, rediss://… (TLS), postgres://host:5432/database or slurm, got "${withoutCredentials(on)}"`,
  });
}
