import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Progress } from "@ratewise/core";
import { spokenTo } from "@ratewise/core/diagnostic";
import type { ExplainDocument } from "@ratewise/core/explain";
import { errorMessage } from "ratewise/page";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { run, temporaryFolder } from "../../cli/test/support/run.ts";
import { compareWords, explainWords, inspectWords, predictWords } from "../src/command-words.ts";
import type { ExampleName } from "../src/examples/example.ts";
import { makeExample } from "../src/examples/index.ts";
import { pageText } from "../src/option-text.ts";
import type { Explained } from "../src/protocol.ts";
import { noSettings, OWN_GROUPS, type Settings } from "../src/settings.ts";
import { createSession, type Handlers } from "../src/worker/session.ts";

const folder = temporaryFolder();
const before = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => process.chdir(before));

/** What the command prints for files of these names in a folder of its own, or the line it ends with. */
async function command(name: string, words: readonly string[]): Promise<string> {
  const { code, out, err } = await run([name, "--json", ...words]);
  return code === 0 ? out : err;
}

/** A result that the command printed, with what it says of options in the page's words. */
function onThePage(printed: string, trained: boolean) {
  const result = JSON.parse(printed);
  return { ...result, diagnostics: spokenTo(result.diagnostics, pageText(trained)) };
}

async function bytesOf(session: Handlers, file: string): Promise<Uint8Array> {
  return new Uint8Array(await (await session.file(file)).arrayBuffer());
}

interface Opened {
  readonly session: Handlers;
  readonly settings: Settings;
}

async function open(name: ExampleName): Promise<Opened> {
  const { files, settings } = makeExample(name);
  const all = { ...noSettings, ...settings };
  const groups =
    all.groups.kind === "own" ? [new File([JSON.stringify(all.groups.groups)], OWN_GROUPS)] : [];
  for (const file of [...files, ...groups])
    writeFileSync(join(folder, file.name), new Uint8Array(await file.arrayBuffer()));
  const session = createSession({ memory: 2 ** 32 });
  await session.open([...files, ...groups]);
  return { session, settings: all };
}

describe.each(["table", "digits", "genotypes", "network"] as const)("the example %s", (name) => {
  let opened: Opened;
  let explained: Explained;
  const events: Progress[] = [];
  beforeAll(async () => {
    opened = await open(name);
    const words = explainWords(opened.settings);
    // Progress is told by the clock, which goes by the steps here: on a fast machine there would be little to hear.
    let time = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (time += 3));
    const onProgress = (event: Progress) => void events.push(event);
    explained = await opened.session.explain(words, { onProgress });
    clock.mockRestore();
  }, 120_000);

  test("is described as the command describes it", async () => {
    const words = inspectWords(opened.settings);
    expect(await opened.session.inspect(words)).toEqual(
      onThePage(await command("inspect", words.slice(1)), false),
    );
  });

  test("gives the command's result to the last digit", async () => {
    const printed = await command("explain", explainWords(opened.settings));
    const saved = await (await opened.session.file("result.json")).text();
    expect(saved).toBe(printed);
    expect(explained.document).toEqual(onThePage(printed, name === "network"));
    const said = [...explained.document.diagnostics.map((note) => note.message), explained.answers];
    expect(said.join("\n")).not.toMatch(/(?<![\w(-])--[a-z]/);
  });

  test("finds what was put into it", () => {
    const { variables } = explained.document;
    const first = (count: number) =>
      [...variables]
        .sort((a, b) => a.direct!.rank - b.direct!.rank)
        .slice(0, count)
        .map((variable) => variable.name);
    if (name === "table") {
      expect(first(4).toSorted()).toEqual(["age", "dose", "marker_1", "sex"]);
      const standIn = variables.find((variable) => variable.name === "marker_2")!;
      expect(standIn.standInFor).toBe("marker_1");
    } else if (name === "digits") {
      // What tells an 8 from a 3 lies in its left half.
      const left = first(10).filter((pixel) => Number(/c(\d+)/.exec(pixel)![1]) < 6);
      expect(left.length).toBeGreaterThanOrEqual(9);
    } else if (name === "genotypes") {
      expect(first(4).toSorted()).toEqual(["rs1027", "rs1096", "rs1155", "rs1281"]);
    } else expect(first(2)).toEqual(["pressure", "heat"]);
  });

  test("draws every figure it has, in the page's colours and in those of print", async () => {
    expect(explained.figures).toContain("importance");
    const expected = {
      table: "shape-1",
      digits: "pixels",
      genotypes: "manhattan-rate",
      network: "",
    };
    if (expected[name]) expect(explained.figures).toContain(expected[name]);
    for (const figure of explained.figures) {
      const svg = await opened.session.figure({ name: figure, colours: "page" });
      expect(svg, figure).toMatch(/^<svg /);
      if (figure !== "architecture") expect(svg, figure).toContain("var(--ink)");
      const print = await opened.session.figure({ name: figure, colours: "print" });
      expect(print, figure).not.toContain("var(--");
    }
  });

  test("saves every file it offers, and opens again from a session", async () => {
    for (const file of explained.files) {
      const blob = await opened.session.file(file);
      expect(blob.size, file).toBeGreaterThan(100);
    }
    const saved = await opened.session.file("result.ratewise-session");
    const other = createSession({ memory: 2 ** 32 });
    const again = await other.reopen(new File([saved], "a.ratewise-session"));
    expect(again.document).toEqual(explained.document);
    expect(again.rankable).toBe(explained.rankable);
    expect(again.figures).toEqual(explained.figures);
    // All that could be saved then can be saved now, the same bytes.
    expect(again.files).toEqual(explained.files);
    expect(again.files).toContain("importance.parquet");
    for (const file of again.files)
      expect(await bytesOf(other, file), file).toEqual(await bytesOf(opened.session, file));
    if (explained.rankable)
      expect(await other.rankAgain({})).toEqual(await opened.session.rankAgain({}));
  });

  test("can be asked what if, a network from elsewhere too", async () => {
    expect(explained.rankable).toBe(true);
    const rates = (await opened.session.rankAgain({})).map(({ rate }) => rate);
    expect(rates).toEqual(explained.document.variables.map(({ rate }) => rate));
    const [{ name: first }] = explained.document.variables;
    const without = await opened.session.rankAgain({ nullify: [first] });
    expect(without.map(({ rank }) => rank === null)).toEqual(
      explained.document.variables.map((_, at) => at === 0),
    );
  });

  test("tells of progress until it is done, with the loss while a network trains", () => {
    const training = events.filter(({ phase }) => phase === "train");
    if (name === "network") return expect(training).toEqual([]);
    expect(training.length).toBeGreaterThan(3);
    expect(training.at(-1)!.done).toBe(training.at(-1)!.total);
    const losses = training.flatMap(({ loss }) => (loss === undefined ? [] : [loss]));
    expect(losses.length).toBeGreaterThan(3);
    expect(losses.at(-1)!).toBeLessThan(losses[0]);
    expect(training.some(({ validationLoss }) => Number.isFinite(validationLoss))).toBe(true);
  });
});

describe("a result in the page", () => {
  let opened: Opened;
  let document: ExplainDocument;
  beforeAll(async () => {
    opened = await open("table");
    const explained = await opened.session.explain(explainWords(opened.settings));
    document = explained.document as ExplainDocument;
  });

  test("is ranked again as it was, by another variant, and with an effect taken for zero", async () => {
    const same = await opened.session.rankAgain({});
    expect(same.map(({ rate, rank, kld }) => ({ rate, rank, kld }))).toEqual(
      document.variables.map(({ rate, rank, kld }) => ({ rate, rank, kld })),
    );
    const other = await opened.session.rankAgain({ variant: "published" });
    expect(other.map(({ rate }) => rate)).not.toEqual(same.map(({ rate }) => rate));
    const without = await opened.session.rankAgain({ nullify: ["marker_1"] });
    const at = document.variables.findIndex(({ name }) => name === "marker_1");
    expect(without[at]).toEqual({
      name: "marker_1",
      rank: null,
      rate: null,
      kld: null,
      kldExact: null,
      mutualInformation: null,
    });
    expect(without.reduce((sum, { rate }) => sum + (rate ?? 0), 0)).toBeCloseTo(1, 12);
    await expect(opened.session.rankAgain({ nullify: ["nobody"] })).rejects.toThrow(
      'there is no variable "nobody"',
    );
  });

  test("is compared with other methods, and the report has it then", async () => {
    const methods = ["rate", "gradient", "correlation"];
    const words = compareWords(opened.settings, methods);
    const { comparison, files } = await opened.session.compare(words);
    const printed = onThePage(await command("compare", words), false);
    const untimed = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (key, part) => (key === "seconds" ? null : part)));
    expect(untimed(comparison)).toEqual(untimed(printed));
    expect(files).toContain("comparison.json");
    const report = await (await opened.session.file("report.html")).text();
    expect(report).toContain("Which ranking holds up?");
  });

  test("has a model that the command opens, and opens the command's", async () => {
    const model = await opened.session.file("model.ratewise");
    writeFileSync(join(folder, "model.ratewise"), new Uint8Array(await model.arrayBuffer()));
    const words = predictWords("trial.csv", "model.ratewise");
    const byCommand = JSON.parse(await command("predict", words));
    const files = [...makeExample("table").files, new File([model], "model.ratewise")];
    await opened.session.open(files);
    const [header, first] = (await opened.session.predict(words)).split("\n");
    expect(header).toBe("mean,sd");
    expect(first.split(",").map(Number)).toEqual([byCommand.rows[0].mean, byCommand.rows[0].sd]);
    const out = ["--out", "folder", ...explainWords(opened.settings)];
    await command("explain", out);
    const written = readFileSync(join(folder, "folder/model.ratewise"));
    expect(written.equals(Buffer.from(await model.arrayBuffer()))).toBe(true);
    const result = readFileSync(join(folder, "folder/result.json"));
    const reopened = await createSession({ memory: 2 ** 32 }).reopen(
      new File([result], "result.json"),
    );
    expect(reopened.document).toEqual(document);
    expect(reopened.rankable).toBe(false);
  });
});

describe("options that were chosen in the form", () => {
  test("reach explain, and of them inspect and compare take what they know", async () => {
    const { session, settings } = await open("table");
    const options = { hidden: "4", "test-fraction": "0.5", top: "3", stability: true };
    const asked = { ...settings, options };
    const { document } = await session.explain(explainWords(asked));
    expect(document.diagnostics.find(({ code }) => code === "stability")).toMatchObject({ top: 3 });
    const rows = (document as ExplainDocument).model.rows;
    expect(rows.test).toBeGreaterThan(0.49 * (rows.train + rows.test));
    expect(await session.inspect(inspectWords(asked))).toEqual(
      await session.inspect(inspectWords(settings)),
    );
    const { comparison } = await session.compare(compareWords(asked, ["rate"]));
    expect(comparison!.model.rows).toEqual(rows);
    const wrong = { ...asked, options: { ...options, top: "none" } };
    await expect(session.explain(explainWords(wrong))).rejects.toThrow(
      "--top needs a whole number",
    );
  });

  test("an ensemble tells the losses of every network", async () => {
    const { session, settings } = await open("table");
    const seen = new Map<number, number[]>();
    await session.explain(explainWords({ ...settings, options: { ensemble: "3" } }), {
      onProgress: ({ task, loss }) => {
        if (task) seen.set(task.index, [...(seen.get(task.index) ?? []), loss!]);
      },
    });
    expect([...seen.keys()].sort()).toEqual([0, 1, 2]);
    // How many epochs are told depends on how busy the machine is, so nothing is said of their order.
    const told = [...seen.values()].flat();
    expect(told.every(Number.isFinite)).toBe(true);
    expect(new Set(told).size).toBe(told.length);
  });

  test("groups made in the page can be saved for the command", async () => {
    const { session, settings } = await open("genotypes");
    const { files } = await session.explain(explainWords(settings));
    expect(files).toContain(OWN_GROUPS);
    const { groups } = settings;
    expect(JSON.parse(await (await session.file(OWN_GROUPS)).text())).toEqual(
      groups.kind === "own" && groups.groups,
    );
  });
});

describe("what cannot be read", () => {
  const bad: [string, string, Partial<Settings>][] = [
    ["empty.csv", "", { target: "y" }],
    ["ragged.csv", "a,b,y\n1,2,3\n1,2\n", { target: "y" }],
    ["twice.csv", "a,a,y\n1,2,3\n", { target: "y" }],
    ["absent.csv", "a,b,y\n1,2,3\n", { target: "z" }],
    ["broken.parquet", "PAR1 and no more", { target: "y" }],
    ["broken.npz", "PK\u0003\u0004", { target: "y" }],
    ["lonely.bed", "l\u001b\u0001", {}],
    ["picture.xyz", "what is this", { target: "y" }],
    ["net.onnx", "no network", { data: "ragged.csv", network: "net.onnx", target: "y" }],
  ];
  test.each(bad)("%s has the command's own message", async (name, content, changes) => {
    const files = [new File([content], name), new File(["a,b,y\n1,2,3\n1,2\n"], "ragged.csv")];
    for (const file of files) writeFileSync(join(folder, file.name), await file.text());
    const words = explainWords({ ...noSettings, data: name, ...changes });
    const session = createSession({ memory: 2 ** 32 });
    await session.open(files);
    const message = await session.explain(words).then(
      () => "it was read",
      (error: Error) => errorMessage(error),
    );
    expect(await command("explain", words)).toBe(`ratewise: ${message}\n`);
  });

  test("a session that is none says so", async () => {
    const session = createSession({ memory: 2 ** 32 });
    const file = (name: string, text: string) => new File([text], name);
    await expect(session.reopen(file("a.ratewise-session", "nonsense"))).rejects.toThrow(
      "a.ratewise-session",
    );
    await expect(session.reopen(file("b.json", "{}"))).rejects.toThrow(
      'b.json: needs the result.json of "ratewise explain"',
    );
    await expect(session.reopen(file("c.json", "{"))).rejects.toThrow("c.json: not JSON");
    await expect(session.rankAgain({})).rejects.toThrow("there is no result yet");
  });
});
