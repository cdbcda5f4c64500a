import { answerTo } from "../../../fixtures/routing/answer.ts";
import { costAt } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { costOfGas } from "../../../src/routing/network-cost.ts";
import type { Certificate } from "../../../src/routing/router.ts";
import { allPaths, exhaustiveBest } from "./exhaustive.ts";

/** A sale beside what exhaustive search finds for it, where a pool use of 60,000 gas costs `use` bought units. */
export function certifiedTrade(
  [sellToken, buyToken]: readonly [Address, Address],
  pools: readonly Pool[],
  { sellAmount, use, time }: { readonly sellAmount: bigint; readonly use: bigint; readonly time: bigint },
): Certificate & { readonly best: bigint } {
  const cost = costAt(1n, () => ({ num: use / 60_000n, den: 1n }));
  const result = answerTo({ kind: "exactIn", sellToken, buyToken, sellAmount }, pools, cost);
  if (!result.found || result.certificate === undefined) throw new Error("no route");
  const paths = allPaths(pools, sellToken, buyToken, 4);
  const best = exhaustiveBest(paths, sellAmount, time, (gas) => costOfGas(cost, buyToken, gas));
  return { best: best as bigint, ...result.certificate };
}
