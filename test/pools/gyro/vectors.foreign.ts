import { expect, test } from "vitest";
import { gyroMath } from "../../../src/pools/gyro/math.ts";
import type { GyroState } from "../../../src/pools/gyro/state.ts";
import { expectAsTold, type VectorRecord, vectorsOf } from "../../support/suites/vectors.ts";

const ONE = 10n ** 18n;
/** Fields of a record that an E-CLP's state has, in the order of the state. */
const ELLIPSE = [
  ...["paramsC", "paramsS", "paramsLambda", "tauAlphaX", "tauAlphaY", "tauBetaX", "tauBetaY"],
  ...["u", "v", "w", "z", "dSq"],
] as const;

interface RawPool {
  readonly reserves: readonly string[];
  readonly tokens: readonly { readonly address: string }[];
  readonly extra: Readonly<Record<string, string>> & {
    readonly paused: boolean;
    readonly tokenRates?: readonly string[];
  };
  readonly staticExtra: {
    readonly scalingFactors?: readonly string[];
    readonly tokenDecimals?: readonly number[];
    readonly sqrtParameters?: readonly string[];
    readonly root3Alpha?: string;
  };
}

function read({ dex, pool }: VectorRecord) {
  const { reserves, tokens, extra, staticExtra } = pool as RawPool;
  const { scalingFactors, tokenDecimals = [], sqrtParameters, root3Alpha } = staticExtra;
  const kind = dex.split("/")[1] as GyroState["kind"];
  const parameters = {
    "2clp": () => sqrtParameters as readonly string[],
    "3clp": () => [root3Alpha as string],
    eclp: () => ELLIPSE.map((name) => extra[name] as string),
  }[kind]();
  const state: GyroState = {
    ...{ kind, balances: reserves.map(BigInt), parameters: parameters.map(BigInt) },
    scales: scalingFactors?.map((factor) => BigInt(factor) / ONE) ?? tokenDecimals.map((d) => 10n ** BigInt(18 - d)),
    rates: extra.tokenRates?.map(BigInt) ?? reserves.map(() => ONE),
    rated: reserves.map(() => extra.tokenRates !== undefined),
    ...{ swapFee: BigInt(extra.swapFeePercentage as string), paused: extra.paused },
  };
  return { tokens: tokens.map(({ address }) => address), state };
}

test("another team's vectors of Gyroscope's pools", () => {
  const seen = { equal: 0, refused: 0 };
  for (const record of vectorsOf("gyroscope")) {
    const { tokens, state } = read(record);
    for (const swap of record.swaps) {
      const { tokenIn, tokenOut, amountIn } = swap;
      const direction = { sell: tokens.indexOf(tokenIn), buy: tokens.indexOf(tokenOut) };
      const quote = gyroMath.quoteExactIn(state, direction, BigInt(amountIn as string), 0n);
      seen[expectAsTold(quote, swap, `${record.dex} ${record.source.test} ${tokenIn} ${amountIn}`)]++;
    }
  }
  expect(seen).toEqual({ equal: 7, refused: 1 });
});
