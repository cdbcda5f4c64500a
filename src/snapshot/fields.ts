import type { Pool as PoolMessage } from "#gen/snapshot/v1/snapshot_pb.ts";
import { toAddress } from "../domain/address.ts";
import type { ConcentratedFamily, Tick } from "../pools/concentrated/state.ts";
import type { CurveKind, CurveStates } from "../pools/pool.ts";
import {
  amount,
  amounts,
  type Field,
  flag,
  flags,
  integer,
  maybeAmount,
  maybeCount,
  maybeTrue,
  natural,
  twoAmounts,
  twoOf,
  whole,
} from "./field.ts";

const FAMILIES: readonly ConcentratedFamily[] = ["pancakeswap", "pancakeswap-farm", "slipstream"];

/** A state as the file has it, with the name of its curve. */
export type StateMessage = Exclude<PoolMessage["state"], { case: undefined }>;

/** Curves whose states are kept: makers' levels and orders are no part of a chain's state. */
export type SavedCurve = Exclude<CurveKind, "levels" | "signed-order">;

/** The name of each curve in the file. */
export const CASES = {
  "constant-product": "constantProduct",
  concentrated: "concentrated",
  "fixed-rate": "fixedRate",
  solidly: "solidly",
  stableswap: "stableswap",
  vault: "vault",
  "rate-token": "rateToken",
  psm: "psm",
  weighted: "weighted",
  "composable-stable": "composableStable",
  "balancer-v3": "balancerV3",
  "balancer-v3-buffer": "balancerV3Buffer",
  cryptoswap: "cryptoswap",
} as const satisfies { readonly [K in SavedCurve]: StateMessage["case"] };

type Wire<K extends SavedCurve> = Extract<StateMessage, { case: (typeof CASES)[K] }>["value"];

/** Every field of a state, none left out: a curve or a field that is new has to get its line before anything compiles. */
type Fields<K extends SavedCurve> = {
  readonly [F in keyof Required<CurveStates[K]>]: F extends keyof Wire<K>
    ? Field<CurveStates[K][F], Wire<K>[F]>
    : never;
};

/** How each field of each curve's state stands in the file. */
export const FIELDS: { readonly [K in SavedCurve]: Fields<K> } = {
  "constant-product": { reserves: twoAmounts, feeNum: amount, feeDen: amount },
  concentrated: {
    sqrtPriceX96: amount,
    tick: whole,
    liquidity: amount,
    feePpm: whole,
    tickSpacing: whole,
    ticks: {
      write: (ticks) =>
        ticks.map((tick) => ({
          $typeName: "snapshot.v1.Tick" as const,
          index: tick.index,
          liquidityNet: String(tick.liquidityNet),
          liquidityGross: String(tick.liquidityGross),
        })),
      read: (ticks) =>
        ticks.map(({ index, liquidityNet, liquidityGross }, i): Tick => {
          const before = ticks[i - 1];
          if (before !== undefined && before.index >= index) throw new RangeError(`tick ${index} is out of order`);
          return { index, liquidityNet: integer(liquidityNet), liquidityGross: natural(liquidityGross) };
        }),
    },
    protocolFeesPpm: {
      write: (fees) => [...(fees ?? [])],
      read: (fees) => (fees.length === 0 ? undefined : twoOf(fees)),
    },
    mostMoved: maybeAmount,
    key: {
      write: (key) => (key === undefined ? undefined : { $typeName: "snapshot.v1.PoolKey" as const, ...key }),
      read: (key) => (key === undefined ? undefined : { fee: key.fee, hooks: toAddress(key.hooks) }),
    },
    byTicks: maybeTrue,
    family: {
      write: (family) => family ?? "",
      read: (text) => {
        if (text === "") return undefined;
        const family = FAMILIES.find((known) => known === text);
        if (family === undefined) throw new RangeError(`no family of pools: "${text}"`);
        return family;
      },
    },
    observations: maybeCount,
    feeSeconds: maybeCount,
  },
  "fixed-rate": { gas: amount },
  solidly: {
    ...{ stable: flag, reserves: twoAmounts, units: twoAmounts, feeBps: amount, paused: flag },
    lastObservation: maybeAmount,
  },
  stableswap: {
    balances: amounts,
    rates: amounts,
    initialA: amount,
    futureA: amount,
    initialATime: amount,
    futureATime: amount,
    aPrecision: amount,
    fee: amount,
    adminFee: amount,
    offpegFeeMultiplier: maybeAmount,
    generation: {
      write: (generation) => generation,
      read: (text) => {
        if (text !== "old" && text !== "ng") throw new RangeError(`no generation of pools: "${text}"`);
        return text;
      },
    },
    killed: flag,
    totalSupply: maybeAmount,
    basePool: { write: (pool) => pool, read: (pool) => pool },
  },
  weighted: {
    ...{ balances: amounts, weights: amounts, scales: amounts, swapFee: amount, paused: flag },
    firstVersion: maybeTrue,
  },
  "balancer-v3": {
    kind: {
      write: (kind) => kind,
      read: (text) => {
        if (text !== "weighted" && text !== "stable") throw new RangeError(`no kind of pool: "${text}"`);
        return text;
      },
    },
    balances: amounts,
    scales: amounts,
    rates: amounts,
    swapFee: amount,
    aggregateFee: amount,
    minTrade: amount,
    weights: amounts,
    minBalances: amounts,
    initialA: amount,
    futureA: amount,
    initialATime: amount,
    futureATime: amount,
    paused: flag,
  },
  "balancer-v3-buffer": {
    totalAssets: amount,
    totalSupply: amount,
    virtualShares: amount,
    maxDeposit: amount,
    maxRedeem: amount,
    assets: amount,
    shares: amount,
    minWrap: amount,
    paused: flag,
  },
  "composable-stable": {
    balances: amounts,
    share: whole,
    scales: amounts,
    rates: amounts,
    expiries: amounts,
    durations: amounts,
    freshRates: amounts,
    oldRates: amounts,
    exempt: flags,
    initialA: amount,
    futureA: amount,
    initialATime: amount,
    futureATime: amount,
    swapFee: amount,
    roundsUp: maybeTrue,
    totalSupply: amount,
    lastA: amount,
    lastInvariant: amount,
    protocolSwapFee: amount,
    protocolYieldFee: amount,
    paused: flag,
  },
  vault: { totalAssets: amount, totalSupply: amount, virtualShares: amount, maxDeposit: amount },
  "rate-token": { pooled: amount, shares: amount, supply: amount, held: amount },
  psm: { dai: amount, gem: amount, tin: maybeAmount, tout: maybeAmount, to18: amount },
  cryptoswap: {
    balances: amounts,
    precisions: amounts,
    priceScale: amounts,
    initialA: amount,
    futureA: amount,
    initialGamma: amount,
    futureGamma: amount,
    initialTime: amount,
    futureTime: amount,
    d: amount,
    midFee: amount,
    outFee: amount,
    feeGamma: amount,
    virtualPrice: amount,
    supply: amount,
    traded: maybeTrue,
    generation: {
      write: (generation) => generation ?? "",
      read: (text) => {
        if (text === "") return undefined;
        if (text !== "first" && text !== "second") throw new RangeError(`no generation of pools: "${text}"`);
        return text;
      },
    },
  },
};
