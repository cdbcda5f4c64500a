import type { ConcentratedFamily, ConcentratedState, SwapHook } from "./state.ts";
import type { SwapOutcome } from "./swap.ts";

/** Gas of a kind of contract, measured by test/promise/gas-of-pool-uses.test.ts. */
interface Gas {
  /** A swap within one word of ticks, callback and both transfers included. */
  readonly swap: bigint;
  /**
   * Each initialized tick that is crossed, its step included: four slots read and three written again. One that was never
   * crossed before costs up to 34,200 more, since two of them are zero until then.
   */
  readonly tick: bigint;
  /** Gas that a further swap in one transaction saves. */
  readonly savedAgain: bigint;
  /** The most that a first swap takes beyond `swap`: slots that were never written before, and what varies. */
  readonly firstUse: bigint;
  /** Gas of the first crossing of a tick in a transaction. */
  readonly firstCrossing: bigint;
}

/** The growth of fees and the protocol's part of them, which is then to be worked out too. */
const FEE_SLOTS = 45_000n;
/** The growth of both tokens' fees outside a tick. */
const TICK_SLOTS = 34_200n;

const UNISWAP_V3: Gas = {
  ...{ swap: 65_000n, tick: 25_000n, savedAgain: 32_000n },
  ...{ firstUse: FEE_SLOTS, firstCrossing: TICK_SLOTS },
};
/** A lock every time, but no prices are written down; ticks keep less. */
const UNISWAP_V4: Gas = {
  ...{ swap: 69_000n, tick: 18_500n, savedAgain: 22_000n },
  ...{ firstUse: FEE_SLOTS, firstCrossing: TICK_SLOTS },
};
/** The vault of the community's fees is paid every eight hours: two transfers. */
const ALGEBRA: Gas = {
  ...{ swap: 65_000n, tick: 18_500n, savedAgain: 32_000n },
  ...{ firstUse: FEE_SLOTS + 2n * 27_000n, firstCrossing: TICK_SLOTS },
};
/** A plugin writes down past prices and works the fee out of them; a further swap of a block saves that. */
const ALGEBRA_PLUGIN: Gas = {
  ...{ swap: 150_000n, tick: 18_500n, savedAgain: 110_000n },
  ...{ firstUse: ALGEBRA.firstUse + 60_000n, firstCrossing: TICK_SLOTS },
};
const FAMILIES: { readonly [F in ConcentratedFamily]: Gas } = {
  /** The protocol's part of the fee is written down. */
  pancakeswap: {
    ...{ swap: 75_000n, tick: 25_000n, savedAgain: 42_000n },
    ...{ firstUse: FEE_SLOTS, firstCrossing: TICK_SLOTS },
  },
  /** The farm is told, which asks the rewards of another contract: in the middle between one with stakes and one without. */
  "pancakeswap-farm": {
    ...{ swap: 97_000n, tick: 28_000n, savedAgain: 62_500n },
    ...{ firstUse: FEE_SLOTS + 8_000n + 3n * 17_100n, firstCrossing: TICK_SLOTS + 17_100n },
  },
  /**
   * A proxy, two fees that other contracts are asked for, and what is staked: about the middle of what its own pools use
   * (docs/gas.md); test/promise/slipstream.test.ts.
   */
  slipstream: {
    ...{ swap: 112_000n, tick: 45_000n, savedAgain: 69_000n },
    ...{ firstUse: FEE_SLOTS + 15_000n + 3n * 17_100n, firstCrossing: TICK_SLOTS + 17_100n },
  },
  /** A Vault beside the manager, which counts what each of its apps holds, and protocol's fees that are written down. */
  infinity: {
    ...{ swap: 100_000n, tick: 18_500n, savedAgain: 38_000n },
    ...{ firstUse: FEE_SLOTS + 2n * 17_100n, firstCrossing: TICK_SLOTS },
  },
  /** The first swap of a block writes down past prices and works the fee out of them; one in a block after that saves it. */
  "algebra-v1": {
    ...{ swap: 155_000n, tick: 30_000n, savedAgain: 120_000n },
    ...{ firstUse: FEE_SLOTS + 60_000n, firstCrossing: TICK_SLOTS },
  },
};
/** Gas of each step to the edge of a bitmap word without a tick. */
const EMPTY_WORD_GAS = 7_500n;

/** Slots that hooks write for the first time: two kinds of fees, what they hold, and one more. */
const HOOK_SLOTS = 4n * 17_100n;

/** A fee that is worked out of past prices: asked for, */
const AVERAGED_FEE = 10_000n;
/** and where the pool keeps enough of them looked up, in the middle between one that was quiet that long and one that was not. */
const PAST_PRICES = 27_000n;
/** As often as the module takes prices to be written down, at most: DynamicSwapFeeModule.sol, MIN_SECONDS_AGO. */
const SECONDS_OF_OBSERVATION = 2;

type Kind = Pick<ConcentratedState, "key" | "byTicks" | "family" | "deployer" | "observations" | "feeSeconds" | "hook">;

type Swapped = Pick<SwapOutcome, "ticksCrossed" | "wordsRead"> & {
  /** Absent: a pool as Uniswap V3 has them, which is the least where no tick is crossed. */
  readonly next?: Kind;
};

export function concentratedGas({ ticksCrossed, wordsRead, next = {} }: Swapped): bigint {
  const emptyWords = Math.max(0, wordsRead - ticksCrossed - 1);
  const { swap, tick } = gasOf(next);
  return swap + feeGas(next) + hookGas(next) + tick * BigInt(ticksCrossed) + EMPTY_WORD_GAS * BigInt(emptyWords);
}

/** Gas that a further swap with a pool saves within one transaction, with half of that for a fee out of past prices. */
export function concentratedSavedAgain(state: Kind): bigint {
  return gasOf(state).savedAgain + feeGas(state) / 2n;
}

/**
 * The most that a swap of `gas` by the model needs where nothing of the pool was ever written: the ticks that it crosses are
 * told from that, at the most.
 */
export function mostConcentratedGas(state: Kind, gas: bigint, isFurther: boolean): bigint {
  const { swap, tick, firstUse, firstCrossing } = gasOf(state);
  const beside = gas - swap - feeGas(state) - hookGas(state) + (isFurther ? concentratedSavedAgain(state) : 0n);
  const ticks = beside / tick;
  // A fee out of past prices takes up to as much again where the pool traded all the time.
  const hooked = state.hook === undefined ? 0n : mostHookGas(state.hook);
  return gas + firstUse + hooked + (state.feeSeconds === undefined ? 0n : PAST_PRICES) + firstCrossing * ticks;
}

function feeGas({ observations = 0, feeSeconds }: Kind): bigint {
  if (feeSeconds === undefined) return 0n;
  return AVERAGED_FEE + (observations * SECONDS_OF_OBSERVATION < feeSeconds ? 0n : PAST_PRICES);
}

/** Gas of hooks' callbacks, which the operator knows: no contract is like another. */
function hookGas({ hook }: Kind): bigint {
  return BigInt(hook?.gas ?? 0);
}

/** The most gas of hooks' callbacks beyond what they take as a rule. */
function mostHookGas({ gas, mostGas }: SwapHook): bigint {
  return mostGas === undefined ? HOOK_SLOTS : BigInt(mostGas - gas);
}

function gasOf({ key, byTicks, family, deployer }: Kind): Gas {
  if (family !== undefined) return FAMILIES[family];
  if (deployer !== undefined) return ALGEBRA_PLUGIN;
  if (key !== undefined) return UNISWAP_V4;
  return byTicks === true ? ALGEBRA : UNISWAP_V3;
}
