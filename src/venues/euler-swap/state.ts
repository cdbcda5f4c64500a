import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import { MAX_UINT112, smaller } from "../../math/full-math.ts";
import { ONE } from "../../pools/euler-swap/branch.ts";
import { impossibleEulerSwap } from "../../pools/euler-swap/impossible.ts";
import { partnerOf } from "../../pools/euler-swap/math.ts";
import type { EulerSwapState, EulerSwapVersion } from "../../pools/euler-swap/state.ts";
import { uintAt } from "../reading/words.ts";

/** Answers of a pool at one block. */
interface PoolWords {
  readonly version: EulerSwapVersion;
  /** `getParams` of version 1, or `getDynamicParams` of version 2. */
  readonly terms: Hex | undefined;
  /** `getReserves`, and `getLimits` of both directions. */
  readonly moving: readonly (Hex | undefined)[];
  readonly at: BlockRef;
}

type Terms = Pick<EulerSwapState, "equilibrium" | "prices" | "concentrations" | "fees">;
type Words<N extends number, T extends bigint[] = []> = T["length"] extends N ? T : Words<N, [...T, bigint]>;

const UNLOCKED = 1n;
/**
 * So many thousandths of what `getLimits` says are served: interest lowers the room below a vault's cap from block to block. 0.1 % of
 * the room is more than a block's interest wherever that room is worth more than some thousandth of a percent of the loans.
 */
const SERVED = 999n;
const THOUSAND = 1_000n;
/** A pool that ends sooner is left out, so that no transaction comes too late; seconds. */
const NEARLY_EXPIRED = 600n;

/** A pool's state, or why it is not served. Nothing that a contract answers makes it throw. */
export function stateOf({ version, terms = "0x", moving, at }: PoolWords): EulerSwapState | UnservedReason {
  const [reserves = "0x", there = "0x", back = "0x"] = moving;
  const [reserve0, reserve1, status] = [0, 1, 2].map((word) => uintAt(reserves, word, 112));
  const limits = [there, back].flatMap((answer) => [uintAt(answer, 0), uintAt(answer, 1)]);
  const read = version === "v1" ? termsOfV1(terms) : termsOfV2(terms, at.timestamp);
  if (typeof read === "string") return read;
  if (reserve0 === undefined || reserve1 === undefined || limits.includes(undefined)) return "NOT_READABLE";
  if (status !== UNLOCKED) return "PAUSED";
  const [in0, out1, in1, out0] = limits.map((limit) => servedOf(limit ?? 0n)) as [bigint, bigint, bigint, bigint];
  // Both answers are zero of a pool that is no operator of its account.
  if (in0 + out1 + in1 + out0 === 0n) return "PAUSED";
  const state: EulerSwapState = {
    ...{ version, reserves: [reserve0, reserve1], ...read },
    ...{ maxIn: roomOf(version, [in0, in1], read.fees), maxOut: [out0, out1] },
  };
  return impossibleEulerSwap(state) === undefined && isAdmitted(state) ? state : "NOT_READABLE";
}

function servedOf(limit: bigint): bigint {
  return (smaller(limit, MAX_UINT112) * SERVED) / THOUSAND;
}

/** Version 2 may add the fee to what a vault has room for (`calcLimits` of QuoteLib.sol): the fee is taken off again. */
function roomOf(version: EulerSwapVersion, [in0, in1]: readonly [bigint, bigint], [fee0, fee1]: Terms["fees"]) {
  const room = (most: bigint, fee: bigint) => (version === "v1" || fee > ONE ? most : (most * (ONE - fee)) / ONE);
  return [room(in0, fee0), room(in1, fee1)] as const;
}

function termsOfV1(terms: Hex): Terms | UnservedReason {
  const words = wordsOf(terms, 12);
  if (words === undefined) return "NOT_READABLE";
  const [, , , x0, y0, px, py, cx, cy, fee] = words;
  return { equilibrium: [x0, y0], prices: [px, py], concentrations: [cx, cy], fees: [fee, fee] };
}

function termsOfV2(terms: Hex, time: bigint): Terms | UnservedReason {
  const words = wordsOf(terms, 13);
  if (words === undefined) return "NOT_READABLE";
  const [x0, y0, , , px, py, cx, cy, fee0, fee1, expiration, hooked] = words;
  // All of a pool's hooks have a part in swaps: before one, in its fee, after it.
  if (hooked !== 0n) return "UNKNOWN_HOOKS";
  if (expiration !== 0n && expiration <= time + NEARLY_EXPIRED) return "PAUSED";
  return { equilibrium: [x0, y0], prices: [px, py], concentrations: [cx, cy], fees: [fee0, fee1] };
}

function wordsOf<N extends number>(data: Hex, count: N): Words<N> | undefined {
  const words = Array.from({ length: count }, (_, word) => uintAt(data, word));
  return words.includes(undefined) ? undefined : (words as Words<N>);
}

/** Whether the reserves are on the curve or above it, as the contract's own check wants them (`verify` of CurveLib.sol). */
function isAdmitted(state: EulerSwapState): boolean {
  const [[reserve0, reserve1], [x0, y0]] = [state.reserves, state.equilibrium];
  if (reserve0 >= x0 && reserve1 >= y0) return true;
  if (reserve0 < x0 && reserve1 < y0) return false;
  const [token, reserve, other] =
    reserve0 < x0 ? ([0, reserve0, reserve1] as const) : ([1, reserve1, reserve0] as const);
  const least = partnerOf(state, token, reserve);
  return least !== undefined && other >= least;
}
