/**
 * The page beside the command on the same file, 100,000 × 100: seconds from the click to the result, and the most memory that
 * the browser's process for the page held. Bounds: 2 times the command's time, 1.5 GB. Needs a build and Chromium.
 *
 *     node bench/web.mjs [rows] [columns]
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fold, keyFromSeed, simulate } from "@ratewise/core";
import { chromium } from "playwright-core";

const [rows = 100_000, columns = 100] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "ratewise-bench-web-"));
const launcher = join(import.meta.dirname, "../cli/bin/ratewise.mjs");
const file = join(folder, "big.csv");

const { X, y } = simulate({ key: fold(keyFromSeed(1), "bench"), rows, variables: columns });
const names = Array.from({ length: columns }, (_, j) => `x${j + 1}`);
const lines = Array.from(y, (response, i) => {
  const row = X.data.subarray(i * columns, (i + 1) * columns);
  return `${Array.from(row, (value) => value.toFixed(4)).join(",")},${response.toFixed(5)}`;
});
writeFileSync(file, `${[...names, "y"].join(",")}\n${lines.join("\n")}\n`);

const words = ["explain", file, "--target", "y", "--engine", "plain", "--json"];
let began = performance.now();
const printed = execFileSync(process.execPath, [launcher, ...words], { maxBuffer: 2 ** 28 });
const commandSeconds = (performance.now() - began) / 1000;

const app = spawn(process.execPath, [launcher, "app", "--json"]);
const [line] = await new Promise((resolve) => {
  app.stdout.once("data", (text) => resolve(String(text).split("\n")));
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage();
  await page.goto(JSON.parse(line).address);
  await page.setInputFiles("input[type=file]", file);
  await page.waitForSelector("#columns", { timeout: 300_000 });
  await page.selectOption("#target", "y");
  await page.waitForSelector("#run:not([disabled])", { timeout: 300_000 });
  began = performance.now();
  await page.click("#run");
  await page.waitForSelector(".result-title", { timeout: 600_000 });
  const pageSeconds = (performance.now() - began) / 1000;
  await page.click('.tabs button:text-is("Ranking")');
  const first = await page.$eval("#variables tbody tr", (row) => row.textContent);
  const { variables } = JSON.parse(String(printed));
  const best = variables.find(({ rank }) => rank === 1);
  const gigabytes = peakOfRenderers() / 2 ** 30;
  console.log(`${rows} × ${columns}, ${availableParallelism()} cores, engine plain`);
  console.log(`command   ${commandSeconds.toFixed(1)} s`);
  console.log(
    `page      ${pageSeconds.toFixed(1)} s, ${(pageSeconds / commandSeconds).toFixed(2)} times the command (bound 2)`,
  );
  console.log(`memory    ${gigabytes.toFixed(2)} GB at most (bound 1.5)`);
  console.log(`the same  ${first.includes(best.name) ? "yes" : "NO"}: ${best.name} leads`);
} finally {
  await browser.close();
  app.kill("SIGINT");
  rmSync(folder, { recursive: true, force: true });
}

/** Bytes of the largest renderer of the browser at its peak; VmHWM of Linux. */
function peakOfRenderers() {
  const peaks = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        if (!command.includes("--type=renderer")) return [];
        const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
        return [Number(kilobytes) * 1024];
      } catch {
        return [];
      }
    });
  return Math.max(...peaks);
}
