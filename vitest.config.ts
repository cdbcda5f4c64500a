import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // A clone has all that its tests need; another team's data is compared with by `npm run test:foreign` only.
    include:
      process.env.FOREIGN_DATA === undefined ? ["test/**/*.test.ts", "bench/**/*.test.ts"] : ["test/**/*.foreign.ts"],
    setupFiles: ["test/support/process/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
