import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isOurs, type SourceRow, sourceRows } from "../../../tools/docs/source-rows.ts";
import { complaintsAbout, MIN_CASES, ROOT, readTriedCases, type TriedCases } from "../../../tools/docs/tried-cases.ts";

const rows = sourceRows();
const page = readFileSync(join(ROOT, "docs", "sources.md"), "utf8");

/** Text of everything that tests and the devnet deploy contracts with. */
const deployers = ["test/pools", "test/venues", "test/settlement", "src/devnet", "src/settlement"]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(join(ROOT, file), "utf8"))
  .join("\n");

describe.each(rows.map((row): [string, SourceRow] => [row.id, row]))("%s", (id, { source, contracts, inDevnet }) => {
  it("is exact only where no contract that it was compared with is ours", () => {
    expect(contracts.length).toBeGreaterThan(0);
    expect(source.assurance).toBe(contracts.some(isOurs) ? "modelled" : "exact");
    for (const contract of contracts) expect(deployers).toMatch(new RegExp(`["/]${contract}[".]`));
  });

  it("stands in docs/sources.md as it says of itself", () => {
    const cells = page
      .split("\n")
      .find((line) => line.startsWith(`| \`${id}\` |`))
      ?.split(/(?<!\\) \| /);
    expect(cells?.slice(1, 3)).toEqual([inDevnet.join(", "), source.kind]);
    expect(cells?.slice(4, 6)).toEqual([source.exactOut ? "yes" : "no", source.assurance]);
  });
});

it("tells our contracts from others', also where ours only names one of theirs", () => {
  expect(["UniswapV3Pool", "BalancerV3Vault", "DevnetVault"].map(isOurs)).toEqual([false, false, false]);
  expect(["DevnetSolidlyPool", "OrderSettlement", "DevnetToken"].map(isOurs)).toEqual([true, true, true]);
});

describe("cases tried", () => {
  const entry: TriedCases = {
    ...{
      source: "psm",
      what: "swaps",
      test: "test/pools/psm/math.test.ts",
      differences: 0,
      seed: 1,
      date: "2026-01-01",
    },
    cases: MIN_CASES,
  };

  it("are enough of every source, all of them the same as its contract's", () => {
    const ids = rows.map(({ id }) => id);
    expect(complaintsAbout(readTriedCases(), ids)).toEqual([]);
  });

  it("are complained of where they are too few, differ, or belong to nothing", () => {
    expect(complaintsAbout([entry], ["psm"])).toEqual([]);
    expect(complaintsAbout([], ["psm"])).toEqual(["psm: 0 cases tried, 20000 are the least"]);
    const half = { ...entry, cases: MIN_CASES / 2 };
    expect(complaintsAbout([half, { ...half, what: "more" }], ["psm"])).toEqual([]);
    expect(complaintsAbout([half], ["psm"])).toHaveLength(1);
    expect(complaintsAbout([entry, { ...half, differences: 1 }], ["psm"])).toEqual([
      "psm: 1 of its cases differ from the contract",
    ]);
    expect(complaintsAbout([entry, { ...entry, source: "gone" }], ["psm"])).toHaveLength(1);
    expect(complaintsAbout([{ ...entry, test: "test/gone.test.ts" }], ["psm"])).toHaveLength(1);
  });
});
