/**
 * What the page asks of a reader's patience: first paint (bound 1 s), the longest task with scripts of the page on
 * its main thread (bound 100 ms), and Cancel in mid-training (at once: bound 0.5 s). By the clock, so on an idle machine: of
 * several visits the median is judged, and all are printed. Needs a build and Chromium.
 *
 *     node bench/page.mjs [visits]
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [visits = 5] = process.argv.slice(2).map(Number);
const launcher = join(import.meta.dirname, "../cli/bin/ratewise.mjs");
const EXAMPLES = ["A simulated trial", "Simulated genotypes", "Drawn digits", "A trained network"];

const app = spawn(process.execPath, [launcher, "app", "--json"]);
const [line] = await new Promise((resolve) => {
  app.stdout.once("data", (text) => resolve(String(text).split("\n")));
});
const { address } = JSON.parse(line);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  report("first paint", 1000, await times(visits, firstPaint));
  for (const example of EXAMPLES) {
    const perVisit = await times(Math.min(3, visits), () => longestTasks(example));
    const longest = perVisit.map((screens) => Math.max(0, ...Object.values(screens)));
    report(`longest task, ${example}`, 100, longest);
    for (const screen of Object.keys(perVisit[0]))
      console.log(
        `    ${screen}: ${perVisit.map((screens) => screens[screen].toFixed(0)).join(", ")}`,
      );
  }
  report("cancel in mid-training", 500, await times(Math.min(3, visits), cancel));
} finally {
  await browser.close();
  app.kill("SIGINT");
}

function report(what, bound, all) {
  const median = [...all].sort((a, b) => a - b)[all.length >> 1];
  const verdict = median <= bound ? "holds" : "MISSED";
  console.log(
    `${what.padEnd(36)} ${median.toFixed(0).padStart(5)} ms (bound ${bound}) ${verdict}; all: ${all.map((ms) => ms.toFixed(0)).join(", ")}`,
  );
}

async function times(count, measure) {
  const all = [];
  for (let visit = 0; visit < count; visit++) all.push(await measure());
  return all;
}

async function visited(measure) {
  const context = await browser.newContext();
  const page = await context.newPage();
  try {
    return await measure(page);
  } finally {
    await context.close();
  }
}

function firstPaint() {
  return visited(async (page) => {
    await page.goto(address);
    const painted = await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    );
    return painted.jsonValue();
  });
}

/** Milliseconds of the longest task on each screen in which scripts of the page ran: the driver's own are none of them. */
function longestTasks(example) {
  return visited(async (page) => {
    const longest = {};
    const settled = async () => {
      await page.waitForFunction(() => document.querySelector(".drawing") === null);
      await page.waitForTimeout(300);
    };
    const screen = async (name, come) => {
      await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "v8"] });
      await come();
      await settled();
      longest[name] = Math.max(0, ...scriptTasks(await browser.stopTracing()));
    };
    await screen("start", async () => {
      await page.goto(address);
      await page.waitForSelector("#drop-title");
    });
    await screen("columns", async () => {
      await page.click(`.card:has-text("${example}")`);
      await page.waitForSelector("#run");
    });
    await screen("training", async () => {
      await page.click("#run");
      await page.waitForSelector(".result-title", { timeout: 200_000 });
    });
    for (const view of await page.$$eval(".tabs button", (all) => all.map((b) => b.textContent))) {
      await screen(view, () => page.click(`.tabs button:text-is("${view}")`));
      if (view !== "Other methods" || example !== EXAMPLES[0]) continue;
      await screen("comparison", async () => {
        await page.click("#compare-quick");
        await page.waitForSelector("#shuffle", { timeout: 200_000 });
      });
    }
    return longest;
  });
}

/** Milliseconds by the clock of every task of a main thread in which a script from the page's address ran. */
function scriptTasks(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const place = ({ pid, tid }) => `${pid} ${tid}`;
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(place),
  );
  const here = traceEvents.filter((event) => event.dur && main.has(place(event)));
  const ours = here.filter(({ args }) =>
    (args?.data?.url ?? args?.fileName ?? "").startsWith(address),
  );
  return here
    .filter(({ name }) => /RunTask$/.test(name))
    .filter((task) =>
      ours.some(
        (event) =>
          place(event) === place(task) &&
          event.ts >= task.ts &&
          event.ts + event.dur <= task.ts + task.dur,
      ),
    )
    .map(({ dur }) => dur / 1000);
}

function cancel() {
  return visited(async (page) => {
    await page.goto(address);
    await page.click(`.card:has-text("${EXAMPLES[0]}")`);
    await page.waitForSelector("#run");
    await page.click("summary:has-text('How to train')");
    await page.fill('label:has-text("hidden layers") input', "512,512");
    await page.click("#run");
    await page.waitForSelector("#loss path");
    const began = performance.now();
    await page.click("#cancel");
    await page.waitForSelector("#run");
    return performance.now() - began;
  });
}
