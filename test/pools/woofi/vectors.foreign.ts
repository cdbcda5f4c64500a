import { expect, test } from "vitest";
import { wooMath } from "../../../src/pools/woofi/math.ts";
import type { WooState } from "../../../src/pools/woofi/state.ts";
import { expectAsTold, type VectorRecord, vectorsOf } from "../../support/suites/vectors.ts";

/** The version that records call by this name has the limits of trades; the pools before it are others, and are no longer served. */
const OURS = "kyber:woofi-v21";

interface RawPool {
  readonly tokens: readonly { readonly address: string; readonly decimals: number }[];
  readonly extra: {
    readonly quoteToken: string;
    readonly tokenInfos: Readonly<
      Record<string, { reserve: string; feeRate: number; maxGamma: string; maxNotionalSwap: string }>
    >;
    readonly wooracle: {
      readonly states: Readonly<
        Record<string, { price: string; spread: number | string; coeff: number | string; woFeasible: boolean }>
      >;
      readonly decimals: Readonly<Record<string, number>>;
    };
  };
}

function read({ pool }: VectorRecord): { readonly tokens: readonly string[]; readonly state: WooState } {
  const { tokens, extra } = pool as RawPool;
  const quote = extra.quoteToken.toLowerCase();
  const bases = tokens.map(({ address }) => address.toLowerCase()).filter((address) => address !== quote);
  const unit = (address: string) => {
    return 10n ** BigInt(tokens.find((token) => token.address.toLowerCase() === address)!.decimals);
  };
  const info = (address: string) => extra.tokenInfos[address]!;
  const state: WooState = {
    ...{ quoteUnit: unit(quote), priceUnit: 10n ** 8n, spreads: "halved" },
    reserves: [quote, ...bases].map((address) => BigInt(info(address).reserve)),
    bases: bases.map((address) => {
      const { price, spread, coeff, woFeasible } = extra.wooracle.states[address]!;
      const { feeRate, maxGamma, maxNotionalSwap } = info(address);
      return {
        ...{
          unit: unit(address),
          price: woFeasible ? BigInt(price) : 0n,
          spread: BigInt(spread),
          coeff: BigInt(coeff),
        },
        ...{ feeRate: BigInt(feeRate), maxGamma: BigInt(maxGamma), maxNotional: BigInt(maxNotionalSwap) },
      };
    }),
  };
  return { tokens: [quote, ...bases], state };
}

test("another team's vectors of WOOFi's pools", () => {
  const seen = { equal: 0, refused: 0 };
  for (const record of vectorsOf("woofi").filter(({ dex }) => dex === OURS)) {
    const { tokens, state } = read(record);
    for (const swap of record.swaps) {
      const { tokenIn, tokenOut, amountIn, after = [] } = swap;
      const direction = { sell: tokens.indexOf(tokenIn), buy: tokens.indexOf(tokenOut) };
      const amount =
        BigInt(amountIn as string) + after.reduce((sum, each) => sum + BigInt(each.amountIn as string), 0n);
      const quote = wooMath.quoteExactIn(state, direction, amount, 0n);
      const where = `${record.source.test} ${tokenIn} ${amountIn}`;
      seen[expectAsTold(quote, swap, where)]++;
    }
  }
  expect(seen).toEqual({ equal: 1, refused: 2 });
});
