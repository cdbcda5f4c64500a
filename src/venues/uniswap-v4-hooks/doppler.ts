import { toFunctionSelector } from "viem";
import { type Address, type Hex, NATIVE_TOKEN, toAddress, ZERO_ADDRESS } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import type { Reading, ReportUnserved } from "../../market/liquidity-source.ts";
import { leavesSomething, settled } from "../../pools/concentrated/falling-fee.ts";
import type { FallingFee, SwapHook } from "../../pools/concentrated/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { addressAt, tickAt, uintAt, wordOf } from "../reading/words.ts";
import type { ChainAt } from "../uniswap-v3/heads.ts";
import { poolIdOf } from "../uniswap-v4/pool-key.ts";
import { refreshFees } from "../uniswap-v4/sync.ts";
import type { HookedPool } from "./fees.ts";
import type { DopplerHook, PassedHook } from "./record.ts";

/** Views of DopplerHookInitializer, of Airlock, and of the contracts that swaps are passed on to. */
const GET_STATE = toFunctionSelector("getState(address)");
const IS_ENABLED = toFunctionSelector("isDopplerHookEnabled(address)");
const GET_ASSET_DATA = toFunctionSelector("getAssetData(address)");
const GET_FEE_SCHEDULE = toFunctionSelector("getFeeSchedule(bytes32)");
const GET_FEE_DISTRIBUTION = toFunctionSelector("getFeeDistributionInfo(bytes32)");

/** Words of what `getState` answers: the contract that swaps are passed on to, the pool's status, its key. */
const PASSES_TO = 2;
const STATUS = 4;
const KEY = 5;
/** Words of what `getFeeDistributionInfo` answers: parts of each token's fees that are traded, and that become liquidity. */
const TRADED = [1, 4];
const ADDED = [3, 7];
/** Word of what `getAssetData` answers: who may give the asset's pool another contract. */
const TIMELOCK = 1;

/** Status of a pool that may be given another contract (PoolStatus.Locked). */
const LOCKED = 2n;
/** Flag of a contract that is told of swaps (ON_SWAP_FLAG). */
const ON_SWAP = 2n;
/** Timelock of an asset without governance (NoOpGovernanceFactory.sol). */
const NOBODY = toAddress("0x000000000000000000000000000000000000dead");

/** A pool by its initializer. */
interface PassedPool {
  readonly pool: HookedPool;
  readonly asset: Address;
  readonly passesTo: Address;
  readonly isLocked: boolean;
}

/**
 * The pools as their initializer has them at the block, with the fee of the contract that each passes its swaps on to; without those
 * whose contract the record does not name, or makes liquidity of its fees. A pool that an account may give another contract, or another fee,
 * has the initializer as controller.
 */
export async function withPassedFees(
  { chain, at, reportUnserved }: Reading,
  hook: DopplerHook,
  pools: readonly HookedPool[],
): Promise<readonly HookedPool[]> {
  if (pools.length === 0) return [];
  const questions = pools.map((pool) => currenciesOf(pool).map((token) => callOf(hook.address, GET_STATE, token)));
  const [flags = [], ...states] = await callGroups(chain, [flagCalls(hook), ...questions], at);
  const isCalled = calledBy(hook, flags);
  const found = pools.flatMap((pool, index) => stateOf(pool, states[index] ?? [], hook, reportUnserved) ?? []);
  const calls = found.map(({ pool, asset, passesTo }) => [
    callOf(hook.airlock, GET_ASSET_DATA, asset),
    ...(passesTo === ZERO_ADDRESS
      ? []
      : [callOf(passesTo, GET_FEE_SCHEDULE, pool.id), callOf(passesTo, GET_FEE_DISTRIBUTION, pool.id)]),
  ]);
  const answers = await callGroups(chain, calls, at);
  return found.flatMap(({ pool, passesTo, isLocked }, index): readonly HookedPool[] => {
    const [owner, schedule, distribution] = answers[index] ?? [];
    const timelock = addressAt(owner ?? "0x", TIMELOCK);
    const passed = hook.passesTo.find(({ address }) => address === passesTo);
    const now = { isCalled: isCalled(passesTo), schedule, distribution, time: at.timestamp };
    const own = ownHook(hook, passed && { ...passed, ...now });
    if (timelock === undefined || own === undefined || typeof own === "string") {
      reportUnserved(pool.id, typeof own === "string" ? own : "NOT_READABLE");
      return [];
    }
    const { controllers: _, ...others } = pool;
    // The Airlock's owner may have a contract told of swaps that is not yet.
    const isUntold = own.passesTo !== undefined && own.falling === undefined;
    const isOpen = isUntold || (isLocked && timelock !== NOBODY);
    return [{ ...others, ...(isOpen && { controllers: [hook.address] }), state: { ...pool.state, hook: own } }];
  });
}

/** Whether a pool of an initializer may be another one in a later block without a log. */
export function mayBePassedElsewhere({ controllers, curve, state }: Pool): boolean {
  return controllers !== undefined || (curve === "concentrated" && state.hook?.passesTo !== undefined);
}

/**
 * The pools at a later block, the same objects where nothing moves: those that an account may change, and those whose contract has
 * been switched on or off, are read again.
 */
export async function refreshPassedFees(
  { chain, at }: ChainAt,
  { manager, hook }: { readonly manager: Address; readonly hook: DopplerHook },
  pools: readonly HookedPool[],
): Promise<readonly HookedPool[]> {
  const passing = pools.some(({ state }) => state.hook?.passesTo !== undefined);
  const isCalled = calledBy(hook, passing ? await chain.calls(flagCalls(hook), at) : []);
  const isSame = ({ controllers, state: { hook: own } }: HookedPool) =>
    controllers === undefined &&
    (own?.passesTo === undefined || isCalled(own.passesTo) === (own.falling !== undefined));
  const open = pools.filter((pool) => !isSame(pool));
  const priced = await refreshFees(manager, chain, open, at);
  const reading = { chain, at, reportUnserved: () => {} };
  const read = await withPassedFees(reading, hook, priced.filter(isConcentrated));
  const fresh = new Map(read.map((pool) => [pool.id, pool]));
  return pools.flatMap((pool): readonly HookedPool[] => {
    if (isSame(pool)) return [settledAt(pool, at.timestamp)];
    const now = fresh.get(pool.id);
    return now === undefined ? [] : [isEqual(now, pool) ? pool : now];
  });
}

function isConcentrated(pool: Pool): pool is HookedPool {
  return pool.curve === "concentrated";
}

/** A pool whose fee has fallen is one of a fee that stays. */
function settledAt(pool: HookedPool, time: bigint): HookedPool {
  const { hook } = pool.state;
  const falling = hook?.falling && settled(hook.falling, time);
  return falling === hook?.falling
    ? pool
    : { ...pool, state: { ...pool.state, hook: { ...hook!, falling: falling! } } };
}

function isEqual(one: HookedPool, other: HookedPool): boolean {
  return (
    one.state.feePpm === other.state.feePpm &&
    JSON.stringify([one.state.hook, one.controllers]) === JSON.stringify([other.state.hook, other.controllers])
  );
}

function callOf(to: Address, selector: Hex, argument: Hex | string): Call {
  return { to, data: `${selector}${wordOf(BigInt(argument))}` as Hex };
}

function flagCalls(hook: DopplerHook): readonly Call[] {
  return hook.passesTo.map(({ address }) => callOf(hook.address, IS_ENABLED, address));
}

/** Whether a contract is told of swaps; undefined where that cannot be read. */
function calledBy(hook: DopplerHook, flags: readonly (Hex | undefined)[]): (address: Address) => boolean | undefined {
  const known = new Map(hook.passesTo.map(({ address }, index) => [address, uintAt(flags[index] ?? "0x", 0)]));
  return (address) => {
    const flag = known.get(address);
    return flag === undefined ? undefined : (flag & ON_SWAP) !== 0n;
  };
}

function currenciesOf({ tokens }: HookedPool): readonly Address[] {
  return tokens.map((token) => (token === NATIVE_TOKEN ? ZERO_ADDRESS : token));
}

/** The pool by its asset, which is one of its tokens; undefined, and reported, unless the record names what it passes swaps to. */
function stateOf(
  pool: HookedPool,
  answers: readonly (Hex | undefined)[],
  hook: DopplerHook,
  reportUnserved: ReportUnserved,
): PassedPool | undefined {
  const index = answers.findIndex((answer) => answer !== undefined && idIn(answer) === pool.id);
  const answer = answers[index];
  const asset = currenciesOf(pool)[index];
  const passesTo = addressAt(answer ?? "0x", PASSES_TO);
  const status = uintAt(answer ?? "0x", STATUS, 8);
  if (asset === undefined || passesTo === undefined || status === undefined) {
    reportUnserved(pool.id, "NOT_READABLE");
    return undefined;
  }
  const isKnown = passesTo === ZERO_ADDRESS || hook.passesTo.some(({ address }) => address === passesTo);
  if (!isKnown) {
    reportUnserved(pool.id, "UNKNOWN_HOOKS");
    return undefined;
  }
  return { pool, asset, passesTo, isLocked: status === LOCKED };
}

/** The id of the pool whose key is in an answer of `getState`. */
function idIn(answer: Hex): string | undefined {
  const [currency0, currency1] = [addressAt(answer, KEY), addressAt(answer, KEY + 1)];
  const [fee, tickSpacing, hooks] = [uintAt(answer, KEY + 2, 24), tickAt(answer, KEY + 3), addressAt(answer, KEY + 4)];
  if (!currency0 || !currency1 || fee === undefined || tickSpacing === undefined || !hooks) return undefined;
  return poolIdOf({ currencies: [currency0, currency1], fee: Number(fee), tickSpacing, hooks });
}

/** A contract that swaps are passed on to, as it is for one pool at a time in unix seconds. */
interface PassedAt extends PassedHook {
  readonly isCalled: boolean | undefined;
  readonly schedule: Hex | undefined;
  readonly distribution: Hex | undefined;
  readonly time: bigint;
}

/** Fees and gas of the hooks in a pool's swaps, or why there is no model of them; undefined where they cannot be read. */
function ownHook({ gas, mostGas }: DopplerHook, passed: PassedAt | undefined): SwapHook | UnservedReason | undefined {
  const none = { charges: "unspecified", token0InPpm: [], token1InPpm: [], gas, mostGas } as const;
  if (passed === undefined) return none;
  const { address: passesTo, isCalled } = passed;
  if (isCalled === undefined) return undefined;
  if (!isCalled) return { ...none, passesTo };
  const falling = scheduleOf(passed);
  const [traded, added] = [TRADED, ADDED].map((words) => wordsAbove0(passed.distribution, words)) as [Count, Count];
  if (falling === undefined || traded === undefined || added === undefined) return undefined;
  // It seeks the amounts of a deposit by up to 15 trades on trial, whose gas has no bound.
  if (added > 0) return "UNKNOWN_HOOKS";
  // A swap pays its fee in one of the two tokens: about half of them cause the trade of either.
  const usual = gas + passed.gas + (traded * passed.tradeGas) / TRADED.length;
  const most = mostGas + passed.mostGas + traded * passed.mostTradeGas;
  return { ...none, gas: Math.round(usual), mostGas: most, passesTo, falling };
}

type Count = number | undefined;

/** Number of these words of an answer that are above zero; undefined unless all are there. */
function wordsAbove0(answer: Hex = "0x", words: readonly number[]): Count {
  const values = words.map((word) => uintAt(answer, word));
  return values.includes(undefined) ? undefined : values.filter((value) => value !== 0n).length;
}

/** The fee by what `getFeeSchedule` answers: its start, first, last and newest figure, and how long it falls. */
function scheduleOf({ schedule = "0x", whole, time }: PassedAt): FallingFee | undefined {
  const [startTime, startFee, endFee, lastFee, seconds] = [0, 1, 2, 3, 4].map((word) => uintAt(schedule, word, 32));
  if (startTime === undefined || startFee === undefined || endFee === undefined || seconds === undefined)
    return undefined;
  const hasFallen = lastFee === endFee;
  const fee: FallingFee = {
    whole,
    startFee: Number(hasFallen ? endFee : startFee),
    endFee: Number(endFee),
    startTime: Number(startTime),
    seconds: Number(seconds),
  };
  return leavesSomething(fee) ? settled(fee, time) : undefined;
}
