import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/process/longest-first.ts";

/** Kinds of tests, and their files; CONTRIBUTING.md says what belongs into which. */
const FILES = new Map([
  ["service", ["test/**/*.test.ts", "bench/**/*.test.ts"]],
  ["end-to-end", ["test/**/*.e2e.ts"]],
  ["foreign", ["test/**/*.foreign.ts"]],
]);

export default defineConfig({
  test: {
    // tools/test.ts names the kind of a run; vitest by itself runs what a clone has all data for.
    include: (process.env.TEST_KINDS?.split(",") ?? ["service", "end-to-end"]).flatMap((kind) => FILES.get(kind) ?? []),
    globalSetup: ["test/support/process/run-folder.ts"],
    setupFiles: ["test/support/process/setup.ts"],
    // What is waited for comes in time on a busy machine too: these end what hangs, they measure nothing.
    testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 240_000,
    hookTimeout: 180_000,
    // Less than the 50 s after which a server's own sweep ends whatever a test has ended in another way.
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongestFirst },
    // One more than the cores that there are at least: a test waits for its node, or for a program, a third of the time.
    maxWorkers: 3,
    // Room for young objects, in megabytes: a worker collects less often, which took a tenth of its time.
    execArgv: ["--max-semi-space-size=64"],
    // Programs that tests start take what Node has compiled before, which is half of the processor time of a start.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL(".cache/compiled", import.meta.url)) },
    // `npm run coverage`: what tests run in this process and in its threads; programs that they start are not counted.
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reportOnFailure: true,
      reporter: ["text-summary", "json-summary"],
      reportsDirectory: ".cache/coverage",
    },
    // Modules keep no state of their own, so that files share a worker and what it has imported. What a test replaces
    // is put back after it.
    isolate: false,
    // Node runs TypeScript as it is. vite would compile each module once more, and make an import a look-up in each use of it.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
