import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import { isPayable } from "../../pools/concentrated/hook-fee.ts";
import type { ConcentratedState, SwapHook } from "../../pools/concentrated/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt } from "../reading/words.ts";
import type { ChainAt } from "../uniswap-v3/heads.ts";
import { withinWhole } from "../uniswap-v4/events.ts";
import { type DopplerHook, type KnownHook, type Parts, PPM } from "./record.ts";

const CHARGES = { unspecified: "unspecified", currency0: "token0", currency1: "token1" } as const;

/** Fees where currency 0 goes in, and where currency 1 does; parts per million. */
type TwoWays = readonly [readonly number[], readonly number[]];

export type HookedPool = Extract<Pool, { curve: "concentrated" }>;

/** Hooks that tell all of a swap themselves. */
export type OwnHook = Exclude<KnownHook, DopplerHook>;

/** The pools as their hooks have them at the block, the same objects where nothing moves; without those that cannot be told. */
export async function withHookFees(
  { chain, at }: ChainAt,
  pools: readonly HookedPool[],
  hookOf: (pool: HookedPool) => OwnHook | undefined,
): Promise<readonly HookedPool[]> {
  const hooks = pools.map(hookOf);
  const calls = pools.map((pool, index) => {
    const hook = hooks[index];
    return hook === undefined || !isRead(hook) ? [] : [{ to: hook.address, data: dataOf(hook.fee.call, pool.id) }];
  });
  const answers = await callGroups(chain, calls, at);
  return pools.flatMap((pool, index): readonly HookedPool[] => {
    const hook = hooks[index];
    const state = hook && withHook(pool.state, hook, answers[index]?.[0]);
    if (state === undefined) return [];
    return [isSame(state, pool.state) ? pool : { ...pool, state }];
  });
}

/** Whether the fees of a hook may be others in a later block, without a log. */
export function mayMove(hook: OwnHook): boolean {
  return isRead(hook) && hook.fee.frozen === undefined;
}

function isRead(hook: OwnHook): hook is OwnHook & { readonly fee: Extract<Parts, { call: string }> } {
  return hook.model !== "observer" && "call" in hook.fee;
}

function dataOf(signature: string, poolId: string): Hex {
  const argument = signature.endsWith("()") ? "" : poolId.slice(2);
  return `${toFunctionSelector(signature)}${argument}` as Hex;
}

/** The state with what its hook does; undefined where that cannot be told or leaves nothing of a swap. */
function withHook(state: ConcentratedState, hook: OwnHook, answer: Hex | undefined): ConcentratedState | undefined {
  const { gas } = hook;
  const none = { charges: "unspecified", token0InPpm: [], token1InPpm: [], gas } as const;
  if (hook.model === "observer") return { ...state, hook: none };
  const fees = twoWays(hook.fee, answer);
  if (fees === undefined) return undefined;
  const [token0InPpm, token1InPpm] = fees;
  if (hook.model === "swap-fee") {
    const taken: SwapHook = { charges: CHARGES[hook.of], token0InPpm, token1InPpm, gas };
    return isPayable(taken) ? { ...state, hook: taken } : undefined;
  }
  const [feePpm, feeOfToken1Ppm] = [token0InPpm[0], token1InPpm[0]];
  if (feePpm === undefined || feeOfToken1Ppm === undefined) return undefined;
  return withinWhole({ ...state, feePpm, feeOfToken1Ppm, hook: none });
}

function twoWays(fee: Parts, answer: Hex | undefined): TwoWays | undefined {
  if ("ppm" in fee) return [fee.ppm, fee.ppmOfCurrency1 ?? fee.ppm];
  const { words, wordsOfCurrency1 = words, whole } = fee;
  const both = [words, wordsOfCurrency1].map((own) => own.map((word) => uintAt(answer ?? "0x", word, 24)));
  if (both.flat().some((part) => part === undefined)) return undefined;
  const [first, second] = both.map((own) => own.map((part) => (Number(part) * PPM) / whole));
  return [first as number[], second as number[]];
}

function isSame(one: ConcentratedState, other: ConcentratedState): boolean {
  return (
    one.feePpm === other.feePpm &&
    one.feeOfToken1Ppm === other.feeOfToken1Ppm &&
    JSON.stringify(one.hook) === JSON.stringify(other.hook)
  );
}

/** Hooks by their address. */
export function byAddress(hooks: readonly KnownHook[]): ReadonlyMap<Address, KnownHook> {
  return new Map(hooks.map((hook) => [hook.address, hook]));
}
