import { writeFileSync } from "node:fs";
import { regressOut, writeNpy } from "@ratewise/core/data";
import { writeParquet } from "@ratewise/files";
import { describe, expect, test } from "vitest";
import { run } from "./support/run.ts";
import { file, n, names, p, X, y } from "./support/stream-files.ts";

describe("covariates", () => {
  const age = Float64Array.from({ length: n }, (_, i) => 20 + ((i * 7) % 41));
  const traits = y.map((value, i) => value + 0.5 * age[i]);
  const freed = regressOut(traits, [{ kind: "number", name: "age", values: age }]).values;
  const shares = async (argv: readonly string[]): Promise<number[]> => {
    const { code, out, err } = await run([
      "stream",
      ...argv,
      "--activations",
      file("H.npy"),
      "--json",
    ]);
    expect(code, err).toBe(0);
    const document = JSON.parse(out);
    const note = document.diagnostics.find(
      ({ code: kind }: { code: string }) => kind === "covariates-regressed-out",
    );
    expect(note?.rows ?? n).toBe(n);
    return document.variables.map((row: { rate: number }) => row.rate);
  };
  const close = (got: readonly number[], want: readonly number[]) =>
    expect(Math.max(...got.map((share, j) => Math.abs(share - want[j])))).toBeLessThan(1e-10);

  test("are taken out of the response, of every format, as explain takes them out", async () => {
    writeFileSync(file("freed.npy"), writeNpy({ shape: [n], data: freed }));
    writeFileSync(file("traits.npy"), writeNpy({ shape: [n], data: traits }));
    writeFileSync(file("age.npy"), writeNpy({ shape: [n, 1], data: age }));
    const rows = Array.from({ length: n }, (_, i) => `f${i} i${i} ${age[i]} ${traits[i]}\n`);
    writeFileSync(file("people.txt"), `FID IID age height\n${rows.join("")}`);
    writeFileSync(
      file("ages.cov"),
      `FID IID age\n${rows.map((row) => row.split(" ").slice(0, 3).join(" ")).join("\n")}\n`,
    );
    const number = (name: string, values: Iterable<number>) => ({
      ...{ name, kind: "number" as const, values: [...values] },
    });
    const columns = names.map((id, j) =>
      number(
        id,
        Array.from({ length: n }, (_, i) => X.data[i * p + j]),
      ),
    );
    writeFileSync(
      file("covered.parquet"),
      writeParquet([...columns, number("age", age), number("height", traits)]),
    );
    const expectedShares = await shares([file("X.npy"), "--target", file("freed.npy")]);
    const plain = await shares([file("X.npy"), "--target", file("traits.npy")]);
    expect(Math.abs(plain[7] - expectedShares[7])).toBeGreaterThan(1e-4);
    for (const argv of [
      [file("X.npy"), "--target", file("traits.npy"), "--covariates", file("age.npy")],
      [file("x.bed"), "--pheno", file("people.txt"), "--trait", "height", "--covariates", "age"],
      [
        file("x.bed"),
        "--pheno",
        file("people.txt"),
        "--trait",
        "height",
        "--covariates",
        file("ages.cov"),
      ],
      [file("x.bed"), "--target", file("traits.npy"), "--covariates", file("age.npy")],
      [file("covered.parquet"), "--target", "height", "--covariates", "age"],
    ])
      close(await shares(argv), expectedShares);
  });

  test("of another number of rows, or by a name that nothing has, are refused", async () => {
    writeFileSync(file("few.npy"), writeNpy({ shape: [9], data: age.slice(0, 9) }));
    const few = await run([
      ...["stream", file("X.npy"), "--target", file("y.npy"), "--covariates", file("few.npy")],
    ]);
    expect(few.err).toContain("few.npy: needs numbers, 60 rows × covariates, got shape (9)");
    const named = await run([
      ...["stream", file("X.npy"), "--target", file("y.npy"), "--covariates", "age"],
    ]);
    expect(named.err).toContain(
      '--covariates with --target needs a .npy file with one row for each row of X, got "age"',
    );
  });
});
