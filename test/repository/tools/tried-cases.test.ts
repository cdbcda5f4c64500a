import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { countCases } from "../../support/suites/tried-cases.ts";

const folder = mkdtempSync(join(tmpdir(), "cases-"));
const entry = join(folder, "psm.swaps.json");

afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

// Each test looks at what the one before it left behind when it ended.
describe("a counter of cases", () => {
  it("counts in a long run", () => {
    vi.stubEnv("TRIBUTARY_LONG", "1");
    const tried = countCases("psm", "swaps", 7, folder);
    tried.same(1n, 1n);
    tried.same([1n, { left: 2n }], [1n, { left: 2n }]);
    expect(() => tried.same([1n], [2n], "the second block")).toThrow("the second block");
  });

  it("has written what it counted, differences among it; a run that is not long counts nothing", () => {
    expect(JSON.parse(readFileSync(entry, "utf8"))).toEqual({
      ...{
        source: "psm",
        what: "swaps",
        test: "test/repository/tools/tried-cases.test.ts",
        cases: 3,
        differences: 1,
        seed: 7,
      },
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    vi.stubEnv("TRIBUTARY_LONG", "");
    expect(() => countCases("psm", "swaps", 7, folder).same(1, 2)).toThrow();
  });

  it("takes an entry away at its start", () => {
    expect(existsSync(entry)).toBe(true);
    vi.stubEnv("TRIBUTARY_LONG", "1");
    countCases("psm", "swaps", 7, folder);
    expect(existsSync(entry)).toBe(false);
  });
});
