import type { Architecture } from "@ratewise/core/network";
import { describe, expect, test } from "vitest";
import { architectureDiagram } from "../src/architecture-diagram.ts";
import { escapeXml } from "../src/escape-xml.ts";

const count = (svg: string, pattern: RegExp) => [...svg.matchAll(pattern)].length;
const dense = (units: number) => ({ kind: "dense", units, activation: "relu" }) as const;

describe("the diagram of a network", () => {
  test("the paper's Figure 1: two inputs, three hidden units, one output with three random weights", () => {
    const svg = architectureDiagram({ inputs: 2, layers: [dense(3)], link: "identity" });
    expect(count(svg, /<circle/g)).toBe(2 + 3 + 1);
    expect(count(svg, /<line/g)).toBe(2 * 3 + 3 * 1);
    expect(count(svg, /<path/g)).toBe(3); // a bell curve on every output weight, and on no other
    for (const text of ["2 inputs", "3 units", "relu", "1 output", "w ~ N(m, V)"])
      expect(svg).toContain(`>${text}<`);
  });

  test("of a wide layer five units and an ellipsis are drawn, and the number is written", () => {
    const svg = architectureDiagram({
      inputs: 1000,
      layers: [dense(32), dense(6)],
      link: "logistic",
    });
    expect(count(svg, /<circle/g)).toBe(5 + 5 + 6 + 1);
    expect(count(svg, /⋮/g)).toBe(2);
    expect(count(svg, /<line/g)).toBe(5 * 5 + 5 * 6 + 6);
    expect(svg).toContain(">1000 inputs<");
    expect(svg).toContain(">f, logistic<");
  });

  test("layers of images are drawn as maps or named boxes, and a kind nobody knows as a box of its name", () => {
    const architecture: Architecture = {
      inputs: 324,
      image: { height: 18, width: 18, channels: 1 },
      layers: [
        { kind: "convolution", filters: 32, kernel: 5, activation: "relu" },
        { kind: "max-pool", kernel: [2, 3] },
        { kind: "flatten" },
        { kind: "batch-normalisation" },
        { kind: "dropout", rate: 0.5 },
        dense(256),
      ],
      link: "softmax",
      classes: 3,
    };
    const svg = architectureDiagram(architecture);
    for (const text of [
      "32 filters 5×5",
      "max pool",
      "2×3",
      "flatten",
      "dropout",
      "0.5",
      "3 outputs",
    ])
      expect(svg).toContain(`>${text}<`);
    expect(svg).toContain(">batch normalisation<");
    expect(count(svg, /stroke="#0072b2"/g)).toBe(6); // two layers of maps, three squares each
    const unknown = architectureDiagram({
      layers: [{ kind: "attention<heads>" }],
      link: "identity",
    });
    expect(unknown).toContain(">attention&lt;heads&gt;<");
    expect(unknown).toContain(">inputs<");
  });

  test("a masked layer has dashed connections", () => {
    const layer = { ...dense(4), kind: "masked-dense" as const };
    const dashed = (svg: string) => count(svg, /stroke-dasharray/g);
    expect(dashed(architectureDiagram({ inputs: 3, layers: [layer], link: "identity" }))).toBe(12);
    expect(dashed(architectureDiagram({ inputs: 3, layers: [dense(4)], link: "identity" }))).toBe(
      0,
    );
  });

  test("names are written beside their places, the last one at the end, and cannot break out", () => {
    const names = Array.from({ length: 40 }, (_, j) => `x${j}`);
    names[0] = `"><script>`;
    names[39] = "a very long name of a column";
    const svg = architectureDiagram(
      { inputs: 40, layers: [dense(2)], link: "softmax", classes: 2 },
      { inputNames: names, outputNames: ["cat & dog", "'bird'"], title: "<b>\u0000" },
    );
    expect(svg).toContain(">&quot;&gt;&lt;script&gt;<");
    expect(svg).toContain(">a very lon…<");
    expect(svg).not.toContain(">x38<");
    expect(svg).toContain(">cat &amp; dog<");
    expect(svg).toContain("<title>&lt;b&gt;\ufffd</title>");
    expect(svg).not.toContain("<script");
  });
});

test("text for XML has its five characters escaped, and none that XML lacks", () => {
  expect(escapeXml(`<a b="c" d='e'>&`)).toBe("&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
  expect(escapeXml("x\u0000\u001f\ud800y\n😀")).toBe("x\ufffd\ufffd\ufffdy\n😀");
});
