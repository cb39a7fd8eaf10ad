import { version } from "@ratewise/core";
import { describe, expect, test } from "vitest";
import { run } from "./support/run.ts";

describe("ratewise", () => {
  test.each([["--version"], ["-V"]])("%s prints the version", async (flag) => {
    expect(await run([flag])).toEqual({ code: 0, out: `ratewise ${version}\n`, err: "" });
  });

  test.each([["--help"], ["-h"], ["help"]])("%s lists the commands", async (flag) => {
    const { code, out } = await run([flag]);
    expect(code).toBe(0);
    for (const name of ["rank", "demo"]) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
  });

  test("without a command it says so and exits with 2", async () => {
    const { code, out, err } = await run([]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe("ratewise: needs a command, got none; ratewise --help lists them\n");
  });

  test("a mistyped command names its neighbour; a strange one the list", async () => {
    expect(await run(["rnak", "x.json"])).toMatchObject({
      code: 2,
      err: 'ratewise: there is no command "rnak"; did you mean "rank"?\n',
    });
    expect((await run(["frobnicate"])).err).toContain("ratewise --help lists the commands");
  });

  test("a hostile command name is printed without its escape sequences", async () => {
    expect((await run(["\u001b[2J\u202egnar"])).err).toContain('"\\u{1b}[2J\\u{202e}gnar"');
  });

  test.each(["rank", "demo"])("%s --help has usage, options and examples", async (name) => {
    const { code, out, err } = await run([name, "--help"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(new RegExp(`^usage: ratewise ${name} `));
    expect(out).toContain("\noptions:\n");
    expect(out).toMatch(new RegExp(`\nexamples:\n  ratewise ${name}`));
    for (const option of ["--json", "--seed", "--engine", "--debug"]) expect(out).toContain(option);
    expect((await run(["help", name])).out).toBe(out);
  });

  test("a stack trace only with --debug", async () => {
    expect((await run(["rank", "nowhere.json"])).err).toBe(
      "ratewise: nowhere.json: there is no such file\n",
    );
    const { err } = await run(["rank", "nowhere.json", "--debug"]);
    expect(err).toContain("nowhere.json: there is no such file");
    expect(err).toMatch(/\n\s+at /);
  });

  test("a reader that closes the pipe is no failure", async () => {
    const closed = async () => {
      throw Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    };
    expect(await run(["demo", "gaussian"], { out: closed })).toEqual({ code: 0, out: "", err: "" });
  });

  test("a failure of our own says that it is one", async () => {
    const broken = async () => {
      throw new TypeError("x is not a function");
    };
    const { code, err } = await run(["demo", "gaussian"], { out: broken });
    expect(code).toBe(1);
    expect(err).toContain("ratewise has a bug (x is not a function)");
  });
});
