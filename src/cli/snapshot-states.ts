import type { Pool as PoolMessage } from "#gen/snapshot/v1/snapshot_pb.ts";
import { toAddress } from "../domain/address.ts";
import { MAX_UINT256 } from "../math/full-math.ts";
import type { Tick } from "../pools/concentrated/state.ts";
import type { CurveKind, CurveStates, Pool } from "../pools/pool.ts";

/** How one field of a state stands in the file. Both throw RangeError for what cannot be. */
interface Field<Value, Wire> {
  readonly write: (value: Value) => Wire;
  readonly read: (wire: Wire) => Value;
}

type StateMessage = Exclude<PoolMessage["state"], { case: undefined }>;

/** Curves whose states are kept: makers' levels and orders are no part of a chain's state. */
export type SavedCurve = Exclude<CurveKind, "levels" | "signed-order">;

/** The name of each curve in the file. */
const CASES = {
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

function integer(text: string): bigint {
  if (!/^(0|-?[1-9]\d{0,77})$/.test(text)) throw new RangeError(`not an integer: "${text}"`);
  return BigInt(text);
}

function natural(text: string): bigint {
  const value = integer(text);
  if (value < 0n || value > MAX_UINT256) throw new RangeError(`not an unsigned integer: "${text}"`);
  return value;
}

const amount: Field<bigint, string> = { write: String, read: natural };
const amounts: Field<readonly bigint[], string[]> = {
  write: (values) => values.map(String),
  read: (texts) => texts.map(natural),
};
const twoAmounts: Field<readonly [bigint, bigint], string[]> = {
  write: amounts.write,
  read: (texts) => twoOf(texts.map(natural)),
};
const maybeAmount: Field<bigint | undefined, string | undefined> = {
  write: (value) => (value === undefined ? undefined : String(value)),
  read: (text) => (text === undefined ? undefined : natural(text)),
};
const whole: Field<number, number> = { write: (value) => value, read: (value) => value };
const flag: Field<boolean, boolean> = { write: (value) => value, read: (value) => value };
const flags: Field<readonly boolean[], boolean[]> = { write: (values) => [...values], read: (values) => values };

function twoOf<T>(values: readonly T[]): readonly [T, T] {
  const [first, second] = values;
  if (values.length !== 2 || first === undefined || second === undefined)
    throw new RangeError(`${values.length} values where two belong`);
  return [first, second];
}

const FIELDS: { readonly [K in SavedCurve]: Fields<K> } = {
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
    byTicks: { write: (value) => value === true, read: (value) => (value ? true : undefined) },
  },
  "fixed-rate": { gas: amount },
  solidly: { stable: flag, reserves: twoAmounts, units: twoAmounts, feeBps: amount, paused: flag },
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
  weighted: { balances: amounts, weights: amounts, scales: amounts, swapFee: amount, paused: flag },
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
    traded: { write: (value) => value === true, read: (value) => (value ? true : undefined) },
  },
};

/** Fields that have one entry for each of a pool's tokens. */
const PER_TOKEN = new Set([
  "balances",
  "rates",
  "weights",
  "minBalances",
  "scales",
  "expiries",
  "durations",
  "freshRates",
  "oldRates",
  "exempt",
]);

type AnyField = Field<unknown, unknown>;

function convert(kind: SavedCurve, from: object, how: keyof AnyField): object {
  const values = from as Readonly<Record<string, unknown>>;
  const fields = Object.entries(FIELDS[kind] as Readonly<Record<string, AnyField>>);
  const converted = fields.map(([name, field]) => [name, inField(name, () => field[how](values[name]))] as const);
  return Object.fromEntries(converted.filter(([, value]) => value !== undefined));
}

function inField<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new RangeError(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

/** A pool's state as the file has it. @throws RangeError for what a maker said */
export function writeState({ curve, state }: Pool): StateMessage {
  if (curve === "levels" || curve === "signed-order") throw new RangeError("what makers say is not kept");
  return { case: CASES[curve], value: convert(curve, state, "write") } as StateMessage;
}

/**
 * The curve and state that the file tells.
 * @throws RangeError naming the field
 */
export function readState(message: PoolMessage["state"], tokens: number): Pick<Pool, "curve" | "state"> {
  const known = Object.entries(CASES).find(([, name]) => name === message.case);
  if (known === undefined || message.case === undefined) throw new RangeError("no state of a known kind");
  const curve = known[0] as SavedCurve;
  const state = convert(curve, message.value, "read") as Pool["state"];
  const wanted = "balances" in state ? state.balances.length : 2;
  // A stableswap pool whose own share is traded has it behind its coins.
  const isCounted = tokens === wanted || (curve === "stableswap" && tokens === wanted + 1);
  if (!isCounted || Object.entries(state).some(([name, list]) => PER_TOKEN.has(name) && list.length !== wanted))
    throw new RangeError(`${tokens} tokens where the state has ${wanted}`);
  if ("share" in state && state.share > tokens) throw new RangeError(`share: no token ${state.share}`);
  return { curve, state } as Pick<Pool, "curve" | "state">;
}
