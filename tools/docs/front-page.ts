import { readFileSync } from "node:fs";
import { join } from "node:path";
import { knownChains } from "../../src/chain/chains/known-chains.ts";
import { sourceRows } from "./source-rows.ts";
import { ROOT, readTriedCases } from "./tried-cases.ts";

const read = (page: string) => readFileSync(join(ROOT, page), "utf8");
const inWords = (count: number) => count.toLocaleString("en-US");

/** Three facts of the site's front page: figures above, and below each its meaning and the page that it is from. */
export function frontFacts(): readonly (readonly string[])[] {
  const tried = readTriedCases();
  const cases = tried.reduce((sum, each) => sum + each.cases, 0);
  const differences = tried.reduce((sum, each) => sum + each.differences, 0);
  const plans = /^(\d+) of (\d+) counted plans of others pay more than ours\.$/m.exec(read("docs/routing-figures.md"));
  if (plans === null)
    throw new Error("docs/routing-figures.md does not say how many plans of others pay more than ours");
  const [better, counted] = plans.slice(1).map(Number) as [number, number];
  return [
    [
      `${inWords(cases - differences)} of ${inWords(cases)}`,
      `${inWords(counted - better)} of ${inWords(counted)}`,
      `${knownChains().length} chains`,
    ],
    [
      "random trades give what a contract gives, to the base unit: [sources](sources.md)",
      "routes of other routers pay no more than ours over the same pools: [comparison](routing-figures.md#comparison-with-other-routers)",
      `with a record of their venues, served by ${sourceRows().length} kinds of source: [coverage](coverage.md)`,
    ],
  ];
}

/** A block of the README that has this mark, without the mark. */
export function readmeBlock(mark: string): string {
  const [, block] = new RegExp(`<!-- ${mark} -->\\n(\`\`\`\\w+\\n[\\s\\S]*?\`\`\`)`).exec(read("README.md")) ?? [];
  if (block === undefined) throw new Error(`README.md has no block marked ${mark}`);
  return block;
}
