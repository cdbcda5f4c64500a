import { toEventSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import { withChange } from "../../pools/bins/bin-list.ts";
import { decayed, feeAt, isFlat, volatilityIn } from "../../pools/bins/fee.ts";
import type { Bin, BinsState, VolatilityFee } from "../../pools/bins/state.ts";
import { arrayAt, uintsIn } from "../reading/abi-arrays.ts";
import { uintAt } from "../reading/words.ts";

const SWAP = toEventSelector("Swap(address,address,uint24,bytes32,bytes32,uint24,bytes32,bytes32)");
const DEPOSITED = toEventSelector("DepositedToBins(address,address,uint256[],bytes32[])");
const WITHDRAWN = toEventSelector("WithdrawnFromBins(address,address,uint256[],bytes32[])");
const COMPOSITION_FEES = toEventSelector("CompositionFees(address,uint24,bytes32,bytes32)");
const FLASH_LOAN = toEventSelector("FlashLoan(address,address,uint24,bytes32,bytes32,bytes32)");
const TERMS_SET = toEventSelector("StaticFeeParametersSet(address,uint16,uint16,uint16,uint16,uint24,uint16,uint24)");
const FORCED_DECAY = toEventSelector("ForcedDecay(address,uint24,uint24)");
const HOOKS_SET = toEventSelector("HooksParametersSet(address,bytes32)");

/** The events that change what a swap gives or takes. */
export const STATE_TOPICS: readonly Hex[] = [
  ...[SWAP, DEPOSITED, WITHDRAWN, COMPOSITION_FEES, FLASH_LOAN, TERMS_SET, FORCED_DECAY, HOOKS_SET],
];

/** Hooks that are called in a swap, before and after: bits above their address (Hooks.sol). */
const SWAP_HOOKS = 3n << 160n;

/** Whether hooks with these parameters are called in a swap. */
export function isHooked(parameters: bigint): boolean {
  return (parameters & SWAP_HOOKS) !== 0n;
}

/** Amounts of X and Y, as the contracts pack both in a word. */
interface Amounts {
  readonly x: bigint;
  readonly y: bigint;
}

function amountsAt(data: Hex, word: number): Amounts | undefined {
  const packed = uintAt(data, word);
  return packed === undefined ? undefined : { x: BigInt.asUintN(128, packed), y: packed >> 128n };
}

/** A pair's state. */
type PairState = BinsState & { readonly fee: VolatilityFee };

/** The state after one of the pair's logs, of a block of this time; undefined when the log cannot follow from `state`. */
export function stateAfter({ fee, ...state }: BinsState, log: Log, time: bigint): BinsState | undefined {
  return isFlat(fee) ? undefined : afterLog({ ...state, fee }, log, time);
}

function afterLog(state: PairState, log: Log, time: bigint): BinsState | undefined {
  switch (log.topics[0]) {
    case SWAP:
      return afterSwap(state, log.data, time);
    case DEPOSITED:
      return afterLiquidity(state, log.data, 1n);
    case WITHDRAWN:
      return afterLiquidity(state, log.data, -1n);
    case COMPOSITION_FEES:
      return afterMove(state, log.data, time);
    case FLASH_LOAN:
      return afterLoan(state, log.data);
    case TERMS_SET:
      return afterTerms(state, log.data);
    case FORCED_DECAY:
      // The log has the terms from before.
      return uintAt(log.data, 0, 24) === undefined ? undefined : { ...state, fee: decayed(state.fee, state.activeId) };
    case HOOKS_SET: {
      const parameters = uintAt(log.data, 0);
      // With all bits set it is no address.
      if (parameters === undefined || parameters >> 170n !== 0n) return undefined;
      const { hooked: _, ...rest } = state;
      return isHooked(parameters) ? { ...rest, hooked: true } : rest;
    }
    default:
      return state;
  }
}

/** One bin of a swap: each has a log of its own, and the last one's is where the pair then stands. */
function afterSwap(state: PairState, data: Hex, time: bigint): BinsState | undefined {
  const [stays, out] = [amountsAt(data, 1), amountsAt(data, 2)];
  const volatility = uintAt(data, 3, 24);
  const moved = afterMove(state, data, time);
  if (moved === undefined || stays === undefined || out === undefined) return undefined;
  if (volatility === undefined || moved.fee.volatilityAccumulator !== Number(volatility)) return undefined;
  const bins = withChange(moved.bins, moved.activeId, stays.x - out.x, stays.y - out.y);
  return bins && { ...moved, bins };
}

/**
 * The price has moved to a bin, or is counted there. Where movement is always counted anew, from the bin in which a swap
 * began, a log does not tell which one that was.
 */
function afterMove(state: PairState, data: Hex, time: bigint): PairState | undefined {
  const id = uintAt(data, 0, 24);
  const fee = feeAt(state.fee, state.activeId, time);
  if (id === undefined || fee === undefined || fee.filterPeriod === 0) return undefined;
  const activeId = Number(id);
  return { ...state, activeId, fee: { ...fee, volatilityAccumulator: volatilityIn(fee, activeId) } };
}

/** Liquidity was added to bins or, with a sign of -1, taken out of them. */
function afterLiquidity(state: BinsState, data: Hex, sign: bigint): BinsState | undefined {
  const ids = uintsIn(data, 0, 24);
  const amounts = arrayAt(data, 1, (word) => amountsAt(data, word));
  if (ids === undefined || ids.length !== amounts?.length) return undefined;
  let bins: readonly Bin[] | undefined = state.bins;
  for (const [index, id] of ids.entries()) {
    const { x, y } = amounts[index] as Amounts;
    bins = bins && withChange(bins, Number(id), sign * x, sign * y);
  }
  return bins && { ...state, bins };
}

/** State after a flash loan: its fee belongs to the active bin, less the protocol's part, which is all of it since 2.2. */
function afterLoan(state: BinsState, data: Hex): BinsState | undefined {
  const [id, fees, taken] = [uintAt(data, 0, 24), amountsAt(data, 2), amountsAt(data, 3)];
  if (id === undefined || fees === undefined || taken === undefined) return undefined;
  const bins = withChange(state.bins, Number(id), fees.x - taken.x, fees.y - taken.y);
  return bins && { ...state, bins };
}

function afterTerms(state: BinsState, data: Hex): BinsState | undefined {
  const terms = termsIn(data);
  return terms && { ...state, fee: { ...state.fee, ...terms } };
}

/** The terms of the fee as getStaticFeeParameters answers them and the log of their change has them. */
export function termsIn(data: Hex) {
  const words = [16, 16, 16, 16, 24, 16, 24].map((bits, index) => uintAt(data, index, bits));
  if (words.some((word) => word === undefined)) return undefined;
  const [baseFactor, filterPeriod, decayPeriod, reductionFactor, variableFeeControl, protocolShare, most] = words.map(
    Number,
  ) as [number, number, number, number, number, number, number];
  return {
    ...{ baseFactor, filterPeriod, decayPeriod, reductionFactor, variableFeeControl, protocolShare },
    maxVolatilityAccumulator: most,
  };
}
