import { expect, test } from "vitest";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { stableswapMath } from "../../../src/pools/stableswap/math.ts";
import { coinForShares, sharesForCoin, virtualPriceOf } from "../../../src/pools/stableswap/share.ts";
import type { StableswapState } from "../../../src/pools/stableswap/state.ts";
import { stateAt } from "../../../src/pools/stableswap/state-at.ts";
import { vectorsOf } from "../../support/suites/vectors.ts";

interface RawPool {
  readonly timestamp?: number;
  readonly reserves: readonly string[];
  readonly tokens: readonly { readonly address: string; readonly decimals?: number }[];
  readonly extra: Readonly<Record<string, string | number | readonly string[]>>;
  readonly staticExtra: Readonly<Record<string, string>>;
}

const records = vectorsOf("curve-meta");
const LATER = 1_800_000_000n;

function read(raw: RawPool, ng: boolean): StableswapState {
  const number = (name: string) =>
    BigInt((raw.extra[name] ?? raw.extra[name.charAt(0).toLowerCase() + name.slice(1)] ?? 0) as string);
  const rates = ng
    ? (raw.extra.RateMultipliers as readonly string[])
    : // These two records ask for refusals only, which no virtual price changes.
      [raw.staticExtra.rateMultiplier as string, String(10n ** 18n)];
  return {
    balances: raw.reserves.slice(0, 2).map(BigInt),
    rates: rates.map(BigInt),
    ...{ initialA: number("InitialA"), futureA: number("FutureA") },
    ...{ initialATime: number("InitialATime"), futureATime: number("FutureATime"), aPrecision: 100n },
    ...{ fee: number("SwapFee"), adminFee: number("AdminFee"), killed: false },
    ...(ng
      ? { generation: "ng" as const, offpegFeeMultiplier: number("OffpegFeeMultiplier") }
      : { generation: "old" as const }),
  };
}

/**
 * A metapool trades its own two coins, the other pool's share among them. What goes through to the other pool's coins
 * is a trade of its share too; most records leave the other pool out (see below). Exact outputs cannot be asked for: what the records say goes in for one is sold, and buys
 * nearly that, since they take the fee at another point of the curve. Swaps after others take another admin fee (see the plain pools' vectors).
 */
test("another team's vectors of metapools", () => {
  const seen = { equal: 0, near: 0, refused: 0, exactOut: 0, underlying: 0 };
  for (const { dex, pool, swaps, source } of records) {
    const raw = pool as RawPool;
    const state = read(raw, dex.endsWith("-ng"));
    const tokens = raw.tokens.map(({ address }) => address);
    const time = raw.timestamp === undefined ? LATER : BigInt(raw.timestamp);
    for (const swap of swaps) {
      const [sell, buy] = [tokens.indexOf(swap.tokenIn), tokens.indexOf(swap.tokenOut)];
      if (sell < 0 || buy < 0) {
        seen.underlying++;
        continue;
      }
      let now: StableswapState = state;
      for (const earlier of swap.after ?? []) {
        const from = tokens.indexOf(earlier.tokenIn);
        if (from < 0) continue;
        const quote = stableswapMath.quoteExactIn(
          now,
          { sell: from, buy: 1 - from },
          BigInt(earlier.amountIn ?? 0),
          time,
        );
        if (!isRejection(quote)) now = quote.next;
      }
      const quote = stableswapMath.quoteExactIn(now, { sell, buy }, BigInt(swap.amountIn ?? 0), time);
      const where = `${source.test} ${swap.tokenIn} ${swap.amountIn}`;
      const got = isRejection(quote) ? quote.rejected : quote.amount;
      if (swap.error !== undefined) {
        expect(isRejection(quote), where).toBe(true);
        seen.refused++;
      } else if (swap.kind === "exactOut") {
        expect(Math.abs(Number(got) / Number(swap.amountOut) - 1), where).toBeLessThan(1e-4);
        seen.exactOut++;
      } else if (swap.after === undefined) {
        expect(got, where).toBe(BigInt(swap.amountOut as string));
        seen.equal++;
      } else {
        expect(Math.abs(Number(got) / Number(swap.amountOut) - 1), where).toBeLessThan(1e-4);
        seen.near++;
      }
    }
  }
  expect(seen).toEqual({ equal: 9, near: 7, refused: 1, exactOut: 4, underlying: 48 });
});

/** A base pool as the records give it: its last reserve is the supply of shares, its terms are JSON. */
interface RawBase {
  readonly [key: string]: unknown;
}

function readBase(raw: RawBase): { readonly base: StableswapState; readonly coins: readonly string[] } {
  const lower = Object.fromEntries(
    Object.entries(raw).map(([key, value]) => [key.charAt(0).toLowerCase() + key.slice(1), value]),
  ) as { readonly reserves: readonly string[]; readonly tokens: readonly Fields[]; extra: string; staticExtra: string };
  const fields = (text: string) =>
    Object.fromEntries(
      Object.entries(JSON.parse(text) as Fields).map(([key, value]) => [
        key.charAt(0).toLowerCase() + key.slice(1),
        value,
      ]),
    );
  const [extra, fixed] = [fields(lower.extra), fields(lower.staticExtra)];
  const number = (name: string) => BigInt((extra[name] ?? 0) as string);
  const count = lower.tokens.length;
  const decimals = (token: Fields) => BigInt((token.decimals ?? token.Decimals) as string);
  const given = (extra.rateMultipliers ?? fixed.rates) as readonly string[] | undefined;
  const rates = given ?? lower.tokens.map((token) => String(10n ** (36n - decimals(token))));
  const base: StableswapState = {
    balances: lower.reserves.slice(0, count).map(BigInt),
    rates: rates.map(BigInt),
    ...{ initialA: number("initialA"), futureA: number("futureA") },
    ...{ initialATime: number("initialATime"), futureATime: number("futureATime") },
    aPrecision: BigInt((fixed.aPrecision ?? 1) as string),
    ...{ fee: number("swapFee"), adminFee: number("adminFee"), killed: false },
    totalSupply: BigInt(lower.reserves[count] as string),
    ...(extra.offpegFeeMultiplier === undefined
      ? { generation: "old" as const }
      : { generation: "ng" as const, offpegFeeMultiplier: number("offpegFeeMultiplier") }),
  };
  return { base, coins: lower.tokens.map((token) => (token.address ?? token.Address) as string) };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Through the base pool's shares: what a metapool gives for its own coin, one coin removed for it, is equal to the wei. The
 * other way round the records say what `get_dy_underlying` does, which takes half the base pool's fee of what it would make
 * without one: the transaction takes the fee of what is out of proportion, so that these are near only.
 */
test("another team's vectors of metapools whose base pool they give", () => {
  const seen = { equal: 0, near: 0, exactOut: 0, refused: 0 };
  const plain = vectorsOf("curve-stableswap").filter(({ ctorArgs }) => ctorArgs !== undefined);
  for (const { dex, pool, swaps, ctorArgs, source } of [...records, ...plain]) {
    const [given] = (ctorArgs ?? []) as readonly Record<string, { readonly $sim: RawBase }>[];
    const [known] = Object.values(given ?? {}).map(({ $sim }) => readBase($sim));
    const raw = pool as RawPool;
    if (known === undefined) continue;
    const { base, coins } = known;
    const time = raw.timestamp === undefined ? LATER : BigInt(raw.timestamp);
    const [moment, price] = [stateAt(base, time), virtualPriceOf(base, time)];
    if (isRejection(moment) || price === undefined) throw new Error("the base pool cannot be read");
    const alone = read(raw, dex.endsWith("-ng"));
    const meta = { ...alone, rates: alone.rates.with(1, price) };
    const supply = base.totalSupply as bigint;
    for (const swap of swaps) {
      const own = raw.tokens.map(({ address }) => address);
      const amount = BigInt(swap.amountIn ?? 0);
      const where = `${source.test} ${swap.tokenIn} ${swap.tokenOut} ${swap.amountIn}`;
      if (swap.tokenIn === own[0] && coins.includes(swap.tokenOut)) {
        const shares = stableswapMath.quoteExactIn(meta, { sell: 0, buy: 1 }, amount, time);
        const out = isRejection(shares)
          ? shares
          : coinForShares(moment, supply, coins.indexOf(swap.tokenOut), shares.amount);
        judge(isRejection(out) ? undefined : out.amount, swap, "equal", where);
      } else if (coins.includes(swap.tokenIn) && swap.tokenOut === own[0]) {
        const shares = sharesForCoin(moment, supply, coins.indexOf(swap.tokenIn), amount);
        if (isRejection(shares)) {
          judge(undefined, swap, "near", where);
          continue;
        }
        const rate = virtualPriceOf(shares.next, time) as bigint;
        const after = { ...meta, rates: meta.rates.with(1, rate) };
        const out = stableswapMath.quoteExactIn(after, { sell: 1, buy: 0 }, shares.amount, time);
        judge(isRejection(out) ? undefined : out.amount, swap, "near", where);
      }
    }
  }

  function judge(
    amount: bigint | undefined,
    swap: (typeof records)[number]["swaps"][number],
    kind: "equal" | "near",
    where: string,
  ): void {
    const off = Math.abs(Number(amount) / Number(swap.amountOut) - 1);
    if (swap.error !== undefined) {
      expect(amount, where).toBeUndefined();
      seen.refused++;
    } else if (swap.kind === "exactOut") {
      expect(off, where).toBeLessThan(3e-4);
      seen.exactOut++;
    } else if (kind === "equal") {
      expect(amount, where).toBe(BigInt(swap.amountOut as string));
      seen.equal++;
    } else {
      expect(off, where).toBeLessThan(2e-4);
      seen.near++;
    }
  }
  expect(seen).toEqual({ equal: 3, near: 3, exactOut: 4, refused: 1 });
});
