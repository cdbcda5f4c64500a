import { readFileSync } from "node:fs";
import { quantile } from "../../quantile.ts";
import type { Contestant } from "../meeting/contestants.ts";
import type { Tally } from "../meeting/meeting.ts";
import type { Spent } from "../routers/serve.ts";
import type { Comparison } from "./report.ts";

/** A run as tables for the documents: who took how long and brought how much, then how everybody is set. */
export function summaryOf(comparisons: readonly Comparison[], contestants: readonly Contestant[]): string {
  const rows = comparisons.flatMap(({ kind, universe, ours, tallies }) => {
    const where = `${universe.name}${kind.fee === undefined ? "" : `, V2 fee ${feeOf(kind.fee)}`}`;
    const pools = ours.flatMap((answer) => answer.pools ?? []);
    const own = [where, "Tributary", ms(ours.map(({ spent }) => spent)), two(pools, 0), "–", "–"];
    return [own, ...tallies.map((tally) => [where, ...cells(tally)])];
  });
  const lost = comparisons.flatMap(({ tallies }) => tallies.flatMap(({ losses }) => losses)).length;
  const counts = comparisons.flatMap(({ tallies }) => tallies.map(({ onAll }) => onAll));
  const compared = counts.reduce((sum, { better, equal, worse }) => sum + better + equal + worse, 0);
  const settings = contestants.map(({ name, package: needed, settings: set }) => {
    return `| ${name}${needed === undefined ? "" : `, \`${needed}\` ${versionOf(needed)}`} | ${set} |`;
  });
  return `${[
    "| pools | router | processor ms, p50 / p99 | pools used, p50 / p99 | we bring more / the same / less | behind us, bp p50 / p90 |",
    "|---|---|---|---|---|---|",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
    "",
    `Of ${compared} counted plans of others, ${lost} pay more than ours.`,
    "",
    "| router | how it is set |",
    "|---|---|",
    ...settings,
  ].join("\n")}\n`;
}

function cells({ contestant, spent, pools, onAll }: Tally): readonly string[] {
  const { better, equal, worse, behind } = onAll;
  return [
    contestant.name,
    ms(spent),
    two(pools, 0),
    `${better} / ${equal} / ${worse}`,
    behind.length === 0 ? "–" : `${quantile(behind, 0.5).toFixed(2)} / ${quantile(behind, 0.9).toFixed(2)}`,
  ];
}

function ms(spent: readonly Spent[]): string {
  return two(
    spent.map(({ cpu }) => cpu),
    1,
  );
}

function two(values: readonly number[], digits: number): string {
  return values.length === 0 ? "–" : [0.5, 0.99].map((part) => quantile(values, part).toFixed(digits)).join(" / ");
}

function feeOf({ feeNum, feeDen }: { readonly feeNum: bigint; readonly feeDen: bigint }): string {
  return `${(Number(feeNum) / Number(feeDen)) * 100} %`;
}

function versionOf(name: string): string {
  const own = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return own.dependencies[name] ?? "";
}
