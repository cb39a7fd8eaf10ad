import { defineConfig } from "vitest/config";

const source = {
  resolve: { conditions: ["@ratewise/source"] },
  ssr: { resolve: { conditions: ["@ratewise/source"] } },
};

/** `unit` needs nothing from outside; `data` RATEWISE_DATA and RATEWISE_REFERENCES; `browser` a Chromium; `cluster` redis-server, PostgreSQL and Slurm. */
export default defineConfig({
  test: {
    projects: [
      {
        ...source,
        test: {
          name: "unit",
          include: ["*/test/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/*.{data,browser,cluster}.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...source,
        test: {
          name: "data",
          include: ["*/test/**/*.data.test.ts", "test/**/*.data.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...source,
        test: {
          name: "browser",
          include: ["*/test/**/*.browser.test.ts", "test/**/*.browser.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...source,
        test: {
          name: "cluster",
          include: ["cluster/test/**/*.cluster.test.ts"],
          // Servers and their deadlines: one file at a time.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
