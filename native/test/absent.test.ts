import { afterEach, expect, test } from "vitest";
import { registerNative } from "../src/index.ts";

afterEach(() => {
  delete process.env.RATEWISE_OPENBLAS;
});

test("a library that was named but is not there is a diagnostic, not a failure", async () => {
  process.env.RATEWISE_OPENBLAS = "/nowhere/libopenblas.so";
  const { blas, diagnostics } = await registerNative();
  expect(blas).toBeNull();
  expect(diagnostics).toMatchObject([
    { code: "native-library-broken", path: "/nowhere/libopenblas.so" },
  ]);
});

test("a file that is no OpenBLAS is a diagnostic", async () => {
  process.env.RATEWISE_OPENBLAS = import.meta.filename;
  const { blas, diagnostics } = await registerNative();
  expect(blas).toBeNull();
  expect(diagnostics.length).toBe(1);
});
