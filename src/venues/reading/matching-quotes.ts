import type { Hex } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { Reading } from "../../market/liquidity-source.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import { addressOf } from "./address-as-id.ts";
import { uintAt, wordOf } from "./words.ts";

/** The part of what it has, or of the most that it takes, that a pool is asked about, so that other rates and formulas show. */
export const PROBE_PART = 97n;

/** A question to a pool, and what our maths says it pays. */
interface Probe<P> {
  readonly pool: P;
  readonly call: Call;
  readonly paid: bigint;
}

/** Terms of asking pools for their quotes. */
interface QuoteTerms<P> {
  readonly getDy: Hex;
  readonly within: bigint;
  asked?(pool: P): P;
}

/**
 * Keeps those of Curve's pools whose own `get_dy`, one coin after another for the next, equals our maths at `at`
 * to within so many base units, and reports the others: these have the interface in common with them, and neither rates nor
 * formulas. What our maths refuses is not asked about. `asked`: the pool as `get_dy` has it; absent: as it is.
 */
export async function withMatchingQuotes<P extends Extract<Pool, { curve: "stableswap" | "cryptoswap" }>>(
  reading: Reading,
  pools: readonly P[],
  { getDy, within, asked = (pool) => pool }: QuoteTerms<P>,
): Promise<readonly P[]> {
  const probes = pools.flatMap((pool) => {
    const { balances } = pool.state;
    const { state } = asked(pool);
    return balances.flatMap((balance, sell) => {
      const [buy, amount] = [(sell + 1) % balances.length, balance / PROBE_PART];
      const quote = mathOf(pool).quoteExactIn(state, { sell, buy }, amount, reading.at.timestamp);
      if (isRejection(quote)) return [];
      const call: Call = { to: addressOf(pool), data: `${getDy}${[sell, buy, amount].map(wordOf).join("")}` };
      return [{ pool, call, paid: quote.amount }];
    });
  });
  return withMatchingAnswers(reading, pools, { probes, within });
}

/** Keeps the pools that answer each probe to within so many base units of what our maths says, and reports the others. */
export async function withMatchingAnswers<P extends Pool>(
  { chain, at, reportUnserved }: Reading,
  pools: readonly P[],
  { probes, within }: { readonly probes: readonly Probe<P>[]; readonly within: bigint },
): Promise<readonly P[]> {
  const answers = await chain.calls(
    probes.map(({ call }) => call),
    at,
  );
  const others = new Set<P>();
  for (const [index, { pool, paid }] of probes.entries()) {
    const said = uintAt(answers[index] ?? "0x", 0);
    if (said === undefined || said - paid > within || paid - said > within) others.add(pool);
  }
  for (const { id } of others) reportUnserved(id, "UNKNOWN_VERSION");
  return pools.filter((pool) => !others.has(pool));
}
