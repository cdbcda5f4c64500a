import { expect, test } from "vitest";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { solidlyMath } from "../../../src/pools/solidly/math.ts";
import type { SolidlyState } from "../../../src/pools/solidly/state.ts";
import { type VectorRecord, vectorsOf } from "../../support/suites/vectors.ts";

interface Token {
  readonly address: string;
  readonly decimals: number;
}

/** Records whose pools name tokens and decimals in one of two ways. */
interface RawPool {
  readonly Pool?: { readonly Info: { readonly Tokens: readonly string[]; readonly Reserves: readonly string[] } };
  readonly tokens?: readonly Token[];
  readonly reserves?: readonly string[];
  readonly decimals?: readonly string[];
  readonly decimals0?: string;
  readonly decimals1?: string;
  readonly stable?: boolean;
  readonly staticExtra?: { readonly stable: boolean };
  readonly fee?: string;
  readonly swapFee?: number;
}

const records = vectorsOf("solidly");

function read({ pool }: VectorRecord): { readonly tokens: readonly string[]; readonly state: SolidlyState } {
  const raw = pool as RawPool;
  const info = raw.Pool?.Info;
  const tokens = info?.Tokens ?? raw.tokens?.map(({ address }) => address) ?? [];
  const reserves = (info?.Reserves ?? raw.reserves ?? []).map(BigInt);
  const units = raw.decimals0
    ? [raw.decimals0, raw.decimals1 as string].map(BigInt)
    : (raw.decimals?.map(BigInt) ?? raw.tokens?.map(({ decimals }) => 10n ** BigInt(decimals)) ?? []);
  const state: SolidlyState = {
    stable: raw.stable ?? raw.staticExtra?.stable ?? false,
    reserves: reserves as unknown as [bigint, bigint],
    units: units as unknown as [bigint, bigint],
    feeBps: raw.fee === undefined ? BigInt(Math.round((raw.swapFee as number) * 10_000)) : BigInt(raw.fee),
    paused: false,
  };
  return { tokens: tokens.map((token) => token.toLowerCase()), state };
}

/**
 * Exact-out of volatile pools: the records ask for a payment one base unit above the least that the pool takes
 * (Uniswap V2's library adds one after its division, and so do they); of stable pools it is not offered.
 */
test("another team's vectors of Solidly kinds", () => {
  const seen = { exactIn: 0, exactOut: 0, stable: 0, notOffered: 0 };
  for (const record of records) {
    const { tokens, state } = read(record);
    if (state.reserves.length !== 2) continue;
    for (const swap of record.swaps) {
      const at = (token: string) => tokens.indexOf(token.toLowerCase());
      const direction = { sell: at(swap.tokenIn), buy: at(swap.tokenOut) };
      const where = `${record.source.path} ${record.source.test}`;
      if (swap.kind === "exactIn") {
        const quote = solidlyMath.quoteExactIn(state, direction, BigInt(swap.amountIn as string), 0n);
        expect(isRejection(quote) ? quote.rejected : quote.amount, where).toBe(BigInt(swap.amountOut as string));
        seen.exactIn++;
        if (state.stable) seen.stable++;
        continue;
      }
      const quote = solidlyMath.quoteExactOut(state, direction, BigInt(swap.amountOut as string), 0n);
      if (state.stable) {
        expect(quote).toEqual({ rejected: "UNSUPPORTED" });
        seen.notOffered++;
        continue;
      }
      if (isRejection(quote)) throw new Error(`${where}: ${quote.rejected}`);
      const over = BigInt(swap.amountIn as string) - quote.amount;
      expect(over >= 0n && over <= 2n, `${where}: ${over}`).toBe(true);
      seen.exactOut++;
    }
  }
  expect(seen).toEqual({ exactIn: 11, exactOut: 3, stable: 5, notOffered: 1 });
});
