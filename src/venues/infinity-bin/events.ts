import { toEventSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import { withChange } from "../../pools/bins/bin-list.ts";
import { flatPpm, isFlat } from "../../pools/bins/fee.ts";
import { impossibleBins } from "../../pools/bins/impossible.ts";
import { priceOf } from "../../pools/bins/price.ts";
import type { Bin, BinsState, FlatFee } from "../../pools/bins/state.ts";
import { stopsAt, swap, swapExactOut } from "../../pools/bins/swap.ts";
import { announcedPool } from "../infinity-cl/announced-pool.ts";
import { DYNAMIC_FEE_UPDATED } from "../infinity-cl/events.ts";
import { arrayAt, uintsIn } from "../reading/abi-arrays.ts";
import { intAt, uintAt } from "../reading/words.ts";
import { PROTOCOL_FEE_UPDATED } from "../uniswap-v4/events.ts";

export const INITIALIZE = toEventSelector("Initialize(bytes32,address,address,address,uint24,bytes32,uint24)");
const SWAP = toEventSelector("Swap(bytes32,address,int128,int128,uint24,uint24,uint16)");
const MINT = toEventSelector("Mint(bytes32,address,uint256[],bytes32,bytes32[],bytes32,bytes32)");
const BURN = toEventSelector("Burn(bytes32,address,uint256[],bytes32,bytes32[])");
const DONATE = toEventSelector("Donate(bytes32,address,int128,int128,uint24)");

/** The events that change what a swap gives. */
export const STATE_TOPICS: readonly Hex[] = [MINT, BURN, SWAP, DONATE, PROTOCOL_FEE_UPDATED, DYNAMIC_FEE_UPDATED];

const REGISTRATION_BITS = 16n;
const BIN_STEP_BITS = 16n;
/**
 * A bin with less than that, in the contract's own measure, may be no longer in the row that swaps follow: the last to leave one
 * leaves a thousand shares behind (BinPool.MINIMUM_SHARE), each of at least one, in amounts that are rounded up.
 */
const NEARLY_EMPTY = 1n << 138n;

/** A pool's state. */
type PoolState = BinsState & { readonly fee: FlatFee };

/** The pool that an Initialize log of the manager's announces, whatever its hooks do. */
export function initializedPool(manager: Address, log: Log): PoolRef | undefined {
  return announcedPool({ topic: INITIALIZE, step: "binStep", parametersIn }, manager, log);
}

/** Parameters in a key: its bin step stands where pools of ticks have their spacing. */
function parametersIn(word: bigint) {
  if (word >> (REGISTRATION_BITS + BIN_STEP_BITS) !== 0n || word >> REGISTRATION_BITS === 0n) return undefined;
  const registration = Number(BigInt.asUintN(Number(REGISTRATION_BITS), word));
  return { tickSpacing: Number(word >> REGISTRATION_BITS), registration };
}

/** The state after one of the pool's logs; undefined when the log does not tell it, or cannot follow from `state`. */
export function stateAfter({ fee, ...rest }: BinsState, log: Log): BinsState | undefined {
  if (!isFlat(fee)) return undefined;
  const state = { ...rest, fee };
  switch (log.topics[0]) {
    case SWAP:
      return afterSwap(state, log.data);
    case MINT:
      return afterMint(state, log.data);
    // Whether a bin leaves the row that swaps follow depends on its shares, which no log tells of.
    case BURN:
      return undefined;
    case DONATE:
      return afterDonation(state, log.data);
    case PROTOCOL_FEE_UPDATED: {
      const fees = uintAt(log.data, 0, 24);
      return fees === undefined ? undefined : withFee(state, { protocolPpm: protocolFeesIn(Number(fees)) });
    }
    case DYNAMIC_FEE_UPDATED: {
      const lpPpm = uintAt(log.data, 0, 24);
      return lpPpm === undefined ? undefined : withFee(state, { lpPpm: Number(lpPpm) });
    }
    default:
      return state;
  }
}

/** Both fees of the protocol, as the manager packs them: of X going in, of Y going in. */
export function protocolFeesIn(packed: number): readonly [number, number] {
  return [packed & 0xfff, packed >> 12];
}

function withFee(state: PoolState, changed: Partial<FlatFee>): BinsState | undefined {
  const next = { ...state, fee: { ...state.fee, ...changed } };
  return impossibleBins(next) === undefined ? next : undefined;
}

/**
 * A swap's log tells what it came to in all, and where the pool then stands. It has sold the one amount exactly or bought the
 * other, and the bins follow where that makes one state.
 */
function afterSwap(state: PoolState, data: Hex): BinsState | undefined {
  const [amount0, amount1] = [intAt(data, 0, 128), intAt(data, 1, 128)];
  const [activeId, fee] = [uintAt(data, 2, 24), uintAt(data, 3, 24)];
  if (amount0 === undefined || amount1 === undefined || activeId === undefined || fee === undefined) return undefined;
  const xForY = amount0 < 0n;
  const [paid, got] = xForY ? [-amount0, amount1] : [-amount1, amount0];
  if (paid <= 0n || got <= 0n || Number(fee) !== flatPpm(state.fee, xForY)) return undefined;
  const outcomes = [swap, swapExactOut].flatMap((made) => {
    const stops = stopsAt(state, xForY, 0n);
    const outcome = stops && made(state, xForY, made === swap ? paid : got, stops);
    const isSame = outcome?.filled && outcome.amountIn === paid && outcome.amountOut === got;
    return isSame && BigInt(outcome.next.activeId) === activeId ? [outcome.next] : [];
  });
  const [next, other] = outcomes;
  if (next === undefined || (other !== undefined && !sameBins(next.bins, other.bins))) return undefined;
  const left = state.bins.find(({ id }) => id === state.activeId);
  return state.activeId !== next.activeId && left && isNearlyEmpty(next, left.id) ? undefined : next;
}

function sameBins(one: readonly Bin[], other: readonly Bin[]): boolean {
  return one.every(({ reserveX, reserveY }, index) => {
    return other[index]?.reserveX === reserveX && other[index]?.reserveY === reserveY;
  });
}

/** Liquidity was added. A bin that begins may hold a base unit from before, which no log has told of. */
function afterMint(state: PoolState, data: Hex): BinsState | undefined {
  const changes = changesIn(data);
  if (changes?.some(({ id }) => !state.bins.some((bin) => bin.id === id))) return undefined;
  return changes && withAll(state, changes);
}

/** The active bin is given amounts, which the log has below zero. */
function afterDonation(state: PoolState, data: Hex): BinsState | undefined {
  const [amount0, amount1, id] = [intAt(data, 0, 128), intAt(data, 1, 128), uintAt(data, 2, 24)];
  if (amount0 === undefined || amount1 === undefined || id === undefined) return undefined;
  const bins = withChange(state.bins, Number(id), -amount0, -amount1);
  return bins && { ...state, bins };
}

/** Amounts of X and Y in bins: the first words of the data are their ids, a salt and the amounts. */
function changesIn(data: Hex): readonly Bin[] | undefined {
  const ids = uintsIn(data, 0, 24);
  const amounts = arrayAt(data, 2, (word) => uintAt(data, word));
  if (ids === undefined || ids.length !== amounts?.length) return undefined;
  return ids.map((id, index) => {
    const packed = amounts[index] as bigint;
    return { id: Number(id), reserveX: BigInt.asUintN(128, packed), reserveY: packed >> 128n };
  });
}

function withAll(state: PoolState, added: readonly Bin[]): BinsState | undefined {
  let bins: readonly Bin[] | undefined = state.bins;
  for (const { id, reserveX, reserveY } of added) bins = bins && withChange(bins, id, reserveX, reserveY);
  return bins && { ...state, bins };
}

function isNearlyEmpty({ binStep, bins }: BinsState, id: number): boolean {
  const bin = bins.find((each) => each.id === id);
  const price = priceOf(binStep, id);
  if (bin === undefined || price === undefined) return true;
  return price * bin.reserveX + (bin.reserveY << 128n) < NEARLY_EMPTY + price;
}
