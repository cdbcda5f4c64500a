import { expect, test } from "vitest";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { stableswapMath } from "../../../src/pools/stableswap/math.ts";
import type { StableswapState } from "../../../src/pools/stableswap/state.ts";
import { type VectorRecord, type VectorSwap, vectorsOf } from "../../support/suites/vectors.ts";

type Fields = Readonly<Record<string, string | number | readonly string[]>>;

interface RawPool {
  readonly timestamp?: number;
  /** One for each token, and the supply of shares. */
  readonly reserves: readonly string[];
  readonly tokens: readonly { readonly address: string; readonly decimals?: number }[];
  readonly extra: Fields;
  readonly staticExtra: Fields;
}

/** Plain pools, old and NG: metapools, pools of lending tokens and other people's forks are other contracts. */
const OURS = ["kyber:curve/plain", "kyber:curve/base", "kyber:curve/stable-ng"];
const records = [...vectorsOf("curve-stableswap"), ...vectorsOf("curve-stableswap-ng")].filter(
  ({ dex, swaps, ctorArgs }) =>
    OURS.includes(dex) && ctorArgs === undefined && swaps.some(({ kind }) => kind === "exactIn"),
);
/** Pools without a time have a ramp that is over, or none. */
const LATER = 1_800_000_000n;

function read({ dex, pool }: VectorRecord) {
  const raw = pool as RawPool;
  const field = (fields: Fields, name: string) =>
    fields[name] ?? fields[name.charAt(0).toLowerCase() + name.slice(1)] ?? "0";
  const number = (name: string) => BigInt(field(raw.extra, name) as string);
  const tokens = raw.tokens.map(({ address }) => address);
  const rates =
    raw.extra.RateMultipliers ??
    raw.extra.rateMultipliers ??
    raw.staticExtra.rates ??
    raw.tokens.map(({ decimals }) => String(10n ** BigInt(36 - (decimals ?? 18))));
  const state: StableswapState = {
    balances: raw.reserves.slice(0, tokens.length).map(BigInt),
    rates: (rates as readonly string[]).map((rate) => BigInt(rate === "" ? 10n ** 18n : rate)),
    ...{ initialA: number("InitialA"), futureA: number("FutureA") },
    ...{ initialATime: number("InitialATime"), futureATime: number("FutureATime") },
    aPrecision: BigInt(field(raw.staticExtra, "APrecision") as string),
    ...{ fee: number("SwapFee"), adminFee: number("AdminFee"), killed: false },
    ...(dex.endsWith("-ng")
      ? { generation: "ng" as const, offpegFeeMultiplier: number("OffpegFeeMultiplier") }
      : { generation: "old" as const }),
  };
  return { tokens, state, time: raw.timestamp === undefined ? LATER : BigInt(raw.timestamp) };
}

/**
 * Swaps after other swaps are near only: those records take the admin part of a fee on what is paid out, the
 * contracts on the fee itself. Sales of more than eight times a pool are beyond our limits on purpose.
 */
test("another team's vectors of plain stableswap pools", () => {
  const seen = { equal: 0, near: 0, refused: 0, foreign: 0, beyondLimits: 0, unstated: 0 };
  for (const record of records) {
    const { tokens, state, time } = read(record);
    const sell = (from: StableswapState, swap: VectorSwap) =>
      stableswapMath.quoteExactIn(
        from,
        { sell: tokens.indexOf(swap.tokenIn), buy: tokens.indexOf(swap.tokenOut) },
        BigInt(swap.amountIn as string),
        time,
      );
    for (const swap of record.swaps) {
      if (swap.kind !== "exactIn") continue;
      if (!tokens.includes(swap.tokenIn) || !tokens.includes(swap.tokenOut)) {
        seen.foreign++;
        continue;
      }
      let now: StableswapState | undefined = state;
      for (const earlier of swap.after ?? []) {
        // Between two tokens the records leave the other one out.
        const tokenOut = tokens.length === 2 ? tokens.find((token) => token !== earlier.tokenIn) : earlier.tokenOut;
        if (now === undefined || tokenOut === undefined || !tokens.includes(tokenOut)) now = undefined;
        else {
          const quote = sell(now, { ...earlier, tokenOut });
          now = isRejection(quote) ? undefined : quote.next;
        }
      }
      if (now === undefined || (swap.amountOut === undefined && swap.error === undefined)) {
        seen.unstated++;
        continue;
      }
      const quote = sell(now, swap);
      const where = `${record.source.path} ${record.source.test} ${swap.tokenIn} ${swap.amountIn}`;
      if (swap.error !== undefined) {
        expect(isRejection(quote), where).toBe(true);
        seen.refused++;
      } else if (swap.after !== undefined && !isRejection(quote)) {
        const difference = Math.abs(Number(quote.amount) / Number(swap.amountOut) - 1);
        expect(difference, where).toBeLessThan(1e-4);
        seen.near++;
      } else if (isRejection(quote) && ["NO_LIQUIDITY", "TOO_LARGE"].includes(quote.rejected)) {
        seen.beyondLimits++;
      } else {
        expect(isRejection(quote) ? quote.rejected : quote.amount, where).toBe(BigInt(swap.amountOut as string));
        seen.equal++;
      }
    }
  }
  expect(seen).toEqual({ equal: 208, near: 59, refused: 11, foreign: 0, beyondLimits: 64, unstated: 206 });
});
