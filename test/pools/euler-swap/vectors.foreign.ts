import { expect, test } from "vitest";
import { eulerSwapMath } from "../../../src/pools/euler-swap/math.ts";
import type { EulerSwapState } from "../../../src/pools/euler-swap/state.ts";
import { expectAsTold, type VectorRecord, vectorsOf } from "../../support/suites/vectors.ts";

/** A vault as the other team reads it: cash, debt of the account, room for deposits, assets of the account, loans and their cap. */
interface RawVault {
  readonly c?: string;
  readonly d: string;
  readonly mD?: string;
  readonly mW?: string;
  readonly eAA?: string;
  readonly tB?: string;
}

interface RawPool {
  readonly reserves: readonly [string, string];
  readonly tokens: readonly { readonly address: string }[];
  readonly extra: Readonly<Record<string, unknown>> & { readonly v?: readonly RawVault[] };
  readonly staticExtra: Readonly<Record<string, string>>;
}

/** Version 1's limits, as its `getLimits` works them out of the vaults. */
function limitsOf(vaults: readonly RawVault[], reserves: readonly bigint[]) {
  const smallest = (...values: readonly bigint[]) => values.reduce((least, value) => (value < least ? value : least));
  const big = (text = "0") => BigInt(text);
  return {
    maxIn: vaults.map(({ d, mD }) => big(d) + big(mD)) as [bigint, bigint],
    maxOut: vaults.map(({ c, mW, tB, eAA }, token) =>
      smallest(reserves[token]!, big(c), big(mW) - big(tB) + big(eAA)),
    ) as [bigint, bigint],
  };
}

function read({ pool }: VectorRecord) {
  const { reserves, tokens, extra, staticExtra } = pool as RawPool;
  const pair = (...names: readonly [string, string]) =>
    names.map((name) => BigInt(staticExtra[name] ?? "0")) as [bigint, bigint];
  const held = reserves.map(BigInt) as [bigint, bigint];
  const state: EulerSwapState = {
    ...{ version: "v1", reserves: held, equilibrium: pair("er0", "er1"), prices: pair("px", "py") },
    ...{ concentrations: pair("cx", "cy"), fees: pair("f", "f") },
    ...limitsOf((extra.v ?? []).slice(0, 2), held),
  };
  return { tokens: tokens.map(({ address }) => address), state };
}

/** The record of version 2 is of an account that owes more than it has: no formula of the curve tells, and simulation refuses. */
const OF_INSOLVENCY = "TestPoolSimulator_InsolvencyReproduction";

test("another team's vectors of EulerSwap's pools", () => {
  const seen = { equal: 0, refused: 0 };
  for (const record of vectorsOf("euler-swap").filter(({ source }) => source.test !== OF_INSOLVENCY)) {
    const { tokens, state } = read(record);
    for (const swap of record.swaps) {
      const { tokenIn, tokenOut, amountIn } = swap;
      const direction = { sell: tokens.indexOf(tokenIn), buy: tokens.indexOf(tokenOut) };
      const quote = eulerSwapMath.quoteExactIn(state, direction, BigInt(amountIn as string), 0n);
      const where = `${record.dex} ${record.source.test} ${tokenIn} ${amountIn}`;
      seen[expectAsTold(quote, swap, where)]++;
    }
  }
  expect(seen).toEqual({ equal: 2, refused: 2 });
});
