/**
 * Two checkouts' routers, asked the same in turns in one process: who brings more, proves more and takes longer. A
 * machine that changes its speed slows both alike.
 *
 *   node bench/routing/in-turns.ts OTHER SET [--count N] [--seed N] [--only N,N] [--repeats N]
 *
 * OTHER is the folder of the other checkout, SET one of `sets.ts`. Each trade whose answer or gap differs by a thousandth
 * of a basis point has a line; what is said of the other comes first.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { openBps } from "../../fixtures/routing/certificate-gap.ts";
import { graphOf } from "../../fixtures/routing/request.ts";
import { fillsOf } from "../../src/domain/route.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import type { RouteResult, Router } from "../../src/routing/router.ts";
import { quantile } from "../quantile.ts";
import { ask, processorMs } from "./figures.ts";
import { setOf } from "./sets.ts";

/** Basis points below which trades are not listed. */
const VISIBLE = 1e-3;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "100" },
    repeats: { type: "string", default: "3" },
    seed: { type: "string" },
    only: { type: "string" },
  },
});
const [other = "", name = ""] = positionals;
const set = setOf(name, Number(values.count), values.seed === undefined ? undefined : Number(values.seed));
if (other === "" || set === undefined) {
  console.error("say the other checkout's folder and a set: flat-in, raw-gas, 100k-out, balancer, mixed …");
  process.exit(2);
}

/** An answer as far as it can be compared. */
interface Told {
  readonly ms: number;
  readonly achieved: number | undefined;
  /** Basis points that the proof leaves open. */
  readonly gap: number;
  readonly fills: number;
}

const module = pathToFileURL(resolve(other, "src/routing/create-router.ts")).href;
const theirs = (await import(module)) as { readonly createRouter: typeof createRouter };
const sideOf = (router: Router) => ({ router, graph: graphOf(set.pools, set.time) });
const sides = [sideOf(theirs.createRouter()), sideOf(createRouter())] as const;

function told(ms: number, result: RouteResult): Told {
  if (!result.found || result.certificate === undefined) return { ms, achieved: undefined, gap: 0, fills: 0 };
  const { certificate } = result;
  return {
    ms,
    achieved: Number(certificate.achieved),
    gap: openBps(certificate),
    fills: fillsOf(result.route).length,
  };
}

const only = values.only?.split(",").map(Number);
const chosen = set.asked
  .map((one, number) => ({ ...one, number }))
  .filter(({ number }) => only?.includes(number) ?? true);
/** The quickest answers of both sides to each trade, all trades asked again in each turn. */
const best: [Told?, Told?][] = chosen.map(() => []);
for (let turn = 0; turn < Number(values.repeats); turn++)
  for (const [i, { order, cost }] of chosen.entries())
    for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { router, graph } = sides[side];
      const { ms, result } = processorMs(() => ask(router, graph, cost, { order }));
      const before = best[i]?.[side];
      if (before === undefined || ms < before.ms) (best[i] as [Told?, Told?])[side] = told(ms, result);
    }
const answers = best as [Told, Told][];

/** By how many basis points ours is better. */
function gainOf(sells: boolean, [before, after]: readonly [Told, Told]): number {
  if (before.achieved === undefined || after.achieved === undefined)
    return before.achieved === after.achieved
      ? 0
      : before.achieved === undefined
        ? Number.POSITIVE_INFINITY
        : Number.NEGATIVE_INFINITY;
  const more = sells ? after.achieved - before.achieved : before.achieved - after.achieved;
  return (more / Math.abs(before.achieved)) * 1e4;
}

const gains = answers.map((both, i) => gainOf(chosen[i]?.order.kind === "exactIn", both));
const pair = (both: readonly [Told, Told], of: (one: Told) => string) => `${of(both[0])} → ${of(both[1])}`;
for (const [i, both] of answers.entries()) {
  if (Math.abs(gains[i] as number) < VISIBLE && Math.abs(both[0].gap - both[1].gap) < VISIBLE) continue;
  console.log(
    `#${chosen[i]?.number} ${(gains[i] as number).toPrecision(3)} bp more, gap ${pair(both, ({ gap }) => gap.toPrecision(3))}, ` +
      `fills ${pair(both, ({ fills }) => `${fills}`)}, ms ${pair(both, ({ ms }) => ms.toFixed(1))}`,
  );
}
const spread = (of: (one: Told) => number, side: 0 | 1, digits: number) =>
  [0.5, 0.9, 0.99]
    .map((part) =>
      quantile(
        answers.map((both) => of(both[side])),
        part,
      ).toFixed(digits),
    )
    .join(" / ");
const both = (of: (one: Told) => number, digits: number) => `${spread(of, 0, digits)} → ${spread(of, 1, digits)}`;
const spent = (side: 0 | 1) => answers.reduce((sum, one) => sum + one[side].ms, 0);
console.log(
  `${name}: ${gains.filter((gain) => gain > 0).length} more, ${gains.filter((gain) => gain < 0).length} less of ${gains.length}`,
);
console.log(`gap, bp p50 / p90 / p99: ${both(({ gap }) => gap, 2)}`);
console.log(`ms p50 / p90 / p99: ${both(({ ms }) => ms, 1)}`);
console.log(
  `time: ${(spent(1) / spent(0)).toFixed(3)} of the sum, ` +
    `${quantile(
      answers.map(([before, after]) => after.ms / before.ms),
      0.5,
    ).toFixed(3)} in the median trade`,
);
