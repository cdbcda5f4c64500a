import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { searchThreadsOf } from "../../src/compose/search-threads.ts";
import { readConfig } from "../../src/ops/config.ts";

test("one core is left to the thread that answers, unless the operator says how many threads search", () => {
  expect(searchThreadsOf(readConfig({}))).toBe(availableParallelism() - 1);
  expect(searchThreadsOf(readConfig({ SEARCH_THREADS: "0" }))).toBe(0);
  expect(searchThreadsOf(readConfig({ SEARCH_THREADS: "7" }))).toBe(7);
});

test.each(["-1", "1.5", "257", "some"])("SEARCH_THREADS=%s is told to be none", (threads) => {
  expect(() => readConfig({ SEARCH_THREADS: threads })).toThrow(/SEARCH_THREADS must be a whole number from 0 to 256/);
});
