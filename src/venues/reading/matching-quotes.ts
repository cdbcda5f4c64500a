import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import { addressOf } from "./address-as-id.ts";
import { uintAt, wordOf } from "./words.ts";

/** The part of its balance of each coin that a pool is asked about, so that other rates and formulas show. */
const PROBE_PART = 97n;

/**
 * Keeps those of Curve's pools whose own `get_dy`, one coin after another for the next, equals our maths at `at`
 * to within so many base units: others have the interface in common with them, and neither rates nor formulas. What our maths
 * refuses is not asked about.
 */
export async function withMatchingQuotes<P extends Extract<Pool, { curve: "stableswap" | "cryptoswap" }>>(
  chain: ChainReader,
  pools: readonly P[],
  at: BlockRef,
  { getDy, within }: { readonly getDy: Hex; readonly within: bigint },
): Promise<readonly P[]> {
  const probes = pools.flatMap((pool) => {
    const { balances } = pool.state;
    return balances.flatMap((balance, sell) => {
      const [buy, amount] = [(sell + 1) % balances.length, balance / PROBE_PART];
      const quote = mathOf(pool).quoteExactIn(pool.state, { sell, buy }, amount, at.timestamp);
      if (isRejection(quote)) return [];
      const call: Call = { to: addressOf(pool), data: `${getDy}${[sell, buy, amount].map(wordOf).join("")}` };
      return [{ pool, call, paid: quote.amount }];
    });
  });
  const answers = await chain.calls(
    probes.map(({ call }) => call),
    at,
  );
  const others = new Set<P>();
  for (const [index, { pool, paid }] of probes.entries()) {
    const said = uintAt(answers[index] ?? "0x", 0);
    if (said === undefined || said - paid > within || paid - said > within) others.add(pool);
  }
  return pools.filter((pool) => !others.has(pool));
}
