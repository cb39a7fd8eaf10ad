import { fold, keyFromSeed, normals } from "@ratewise/core";
import type { Example } from "./example.ts";

const ROWS = 600;

/** A network of ours as an ONNX file: four inputs, six hidden units, a sigmoid; 37 weights. */
const NETWORK =
  "CAgSBXRlc3RzOukCChwKAXgKAncxCgJiMRIBehoGR2VtbS16IgRHZW1tChQKAXoSAWgaBlJlbHUtaCIEUmVsdQocCgFoCgJ3MgoCYjISAWYaBk" +
  "dlbW0tZiIER2VtbQoaCgFmEgF5GglTaWdtb2lkLXkiB1NpZ21vaWQSBWdyYXBoKmwIBAgGEAFCAncxSmAAAOA9AABwPgAAcD4AAEi/AAAIvwAA" +
  "iD4AAPg+AADovgAA8L4AAHS/AAAMPwAAKD8AAAy/AAA8vwAAjj8AANA+AAAUvwAAAD0AAPi+AAA8PwAA8L4AADA+AADAvQAABD8qIggGEAFCAm" +
  "IxShgAANA+AAAAPQAAEL4AANi+AADAPgAAYL4qJAgGCAEQAUICdzJKGAAA/j8AAJA+AADQPgAA4L8AAAnAAAAIQCoOCAEQAUICYjJKBAAAIL5a" +
  "FAoBeBIPCg0IARIJCgMSAW4KAggEYhQKAXkSDwoNCAESCQoDEgFuCgIIAUIECgAQEQ==";

/** Pumps that fail or do not, and a network that was trained elsewhere to foresee it. */
export function trainedNetwork(): Example {
  const normal = normals(fold(keyFromSeed(1), "pumps"));
  const lines = ["pressure,heat,age,size,failed"];
  for (let i = 0; i < ROWS; i++) {
    const [pressure, heat, age, size] = [normal(), normal(), normal(), normal()];
    const failed = 2 * pressure + heat + normal() > 0;
    const cells = [pressure, heat, age, size].map((value) => value.toFixed(4));
    lines.push([...cells, failed ? "yes" : "no"].join(","));
  }
  const bytes = Uint8Array.from(atob(NETWORK), (letter) => letter.charCodeAt(0));
  return {
    files: [
      new File([`${lines.join("\n")}\n`], "pumps.csv", { type: "text/csv" }),
      new File([bytes], "pumps.onnx"),
    ],
    settings: { data: "pumps.csv", network: "pumps.onnx", target: "failed" },
  };
}
