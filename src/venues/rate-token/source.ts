import { toFunctionSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { callGroups } from "../reading/call-groups.ts";
import { listedAndReadWhole } from "../reading/read-whole.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import type { RateTokenAction } from "./action.ts";
import type { RateTokenRecord } from "./record.ts";

const UNDERLYING = toFunctionSelector("stETH()");
/** Totals of ether and shares, and those of them that others back, in the order in which their answers are read. */
const TOTALS = ["getTotalPooledEther()", "getTotalShares()", "getExternalEther()", "getExternalShares()"].map(
  (signature) => toFunctionSelector(signature),
);
const SUPPLY = toFunctionSelector("totalSupply()");
const BALANCE_OF = toFunctionSelector("balanceOf(address)");
const WRAPS_TO = toFunctionSelector("getWstETHByStETH(uint256)");
const UNWRAPS_TO = toFunctionSelector("getStETHByWstETH(uint256)");
/** An odd amount, large enough that the last digits of a rate show. */
const PROBE = 10n ** 27n + 1_000_003n;

type Entry = RateTokenRecord["tokens"][number];

/**
 * Tokens of the record with wstETH's interface: wrapped and unwrapped at a rate of two totals, which moves without a log,
 * so that all of a token is read again for every block. A token that does not convert by that rate, to the unit, is left
 * out. What it wraps may keep shares (stETH): that is sold, and not bought.
 */
export function rateToken(venue: RateTokenRecord): LiquiditySource {
  const byToken = new Map(venue.tokens.map((each) => [each.token as string, each]));
  const refs = venue.tokens.map(({ token, underlying }) => refAt(token, [underlying, token]));
  return {
    id: venue.source,
    kind: "wrapper",
    exactOut: false,
    assurance: "modelled",
    ...listedAndReadWhole(refs, (chain, wanted, at) =>
      syncTokens({ source: venue.source, byToken }, chain, wanted, at),
    ),
    action: (pool): RateTokenAction => ({ action: "rate-token", token: addressOf(pool) }),
    fillData: (pool) => ({ token: pool.id, underlying: pool.tokens[0] as Address }),
  };
}

async function syncTokens(
  { source, byToken }: { readonly source: SourceId; readonly byToken: ReadonlyMap<string, Entry> },
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const calls = refs.map(({ id, address: to, tokens: [underlying] }): readonly Call[] => [
    { to, data: UNDERLYING },
    ...TOTALS.map((data): Call => ({ to: byToken.get(id)?.totals ?? to, data })),
    { to, data: SUPPLY },
    { to: underlying as Address, data: `${BALANCE_OF}${wordOf(BigInt(to))}` },
    { to, data: `${WRAPS_TO}${wordOf(PROBE)}` },
    { to, data: `${UNWRAPS_TO}${wordOf(PROBE)}` },
  ]);
  const answers = await callGroups(chain, calls, at);
  return refs.flatMap((ref, index): Pool[] => {
    const [underlying, ...words] = answers[index] ?? [];
    const figures = words.map((word) => (word === undefined ? undefined : uintAt(word, 0)));
    const [pooled, shares, externalPooled = 0n, externalShares = 0n, supply, held, wraps, unwraps] = figures;
    if (underlying === undefined || addressAt(underlying, 0) !== ref.tokens[0]) return [];
    if (pooled === undefined || shares === undefined || supply === undefined || held === undefined) return [];
    // Lido V3 takes what others back out of both totals before it divides; rounded, the whole totals are another rate.
    const rate = [
      { pooled: pooled - externalPooled, shares: shares - externalShares },
      { pooled, shares },
    ].find((each) => {
      if (each.pooled <= 0n || each.shares <= 0n) return false;
      return wraps === (PROBE * each.shares) / each.pooled && unwraps === (PROBE * each.pooled) / each.shares;
    });
    if (rate === undefined) return [];
    const keepsShares = byToken.get(ref.id)?.keepsShares;
    const state = { ...rate, supply, held, ...(keepsShares && { keepsShares }) };
    return [{ id: ref.id, source: source, tokens: ref.tokens, curve: "rate-token", state }];
  });
}
