import type { BinsState } from "./state.ts";

/** Gas of a kind of contract, both transfers included; measured by test/promise/gas-of-pool-uses.test.ts. */
interface Gas {
  /** A swap within one bin. */
  readonly swap: bigint;
  /** Each bin more that it trades in: one slot written, two of the tree of bins read. */
  readonly bin: bigint;
  /** Additional gas of an exact output, and of each bin more in one. */
  readonly exactOut: bigint;
  readonly binAsked: bigint;
  /** Gas that a further swap in one transaction saves. */
  readonly savedAgain: bigint;
  /** The most that a first swap takes beyond that: slots that were never written before. */
  readonly firstUse: bigint;
}

/** The pair is asked for the cost of an exact output, and the output passes through the executor. */
const PAIR: Gas = {
  ...{ swap: 70_000n, bin: 16_000n, exactOut: 18_000n, binAsked: 3_500n },
  // The protocol's fees and the pair's own record of past bins.
  ...{ savedAgain: 42_000n, firstUse: 60_000n },
};
/** A Vault beside the manager, which counts what each of its apps holds. */
const SINGLETON: Gas = {
  ...{ swap: 76_000n, bin: 16_000n, exactOut: 0n, binAsked: 0n },
  ...{ savedAgain: 38_000n, firstUse: 60_000n },
};
/** Hooks that are told of a swap: not measured, about what one takes that shares out rewards to a few bins. */
const HOOKS = 60_000n;
/** The most that hooks take beyond that, which share out rewards to eleven bins, never written before. */
const FIRST_HOOKS = 400_000n;

/** Part of a pool's state that its gas depends on. */
export type BinsKind = Pick<BinsState, "key" | "hooked">;

/** Gas of a swap that trades in so many bins, at least one. */
export function binsGas(bins: number, exactOut: boolean, kind: BinsKind): bigint {
  const further = BigInt(Math.max(0, bins - 1));
  const gas = gasOf(kind);
  const asked = exactOut ? gas.exactOut + gas.binAsked * further : 0n;
  return gas.swap + gas.bin * further + asked + (kind.hooked ? HOOKS : 0n);
}

/** Gas that a further swap with a pool saves within one transaction. */
export function savedAgainBinsGas(kind: BinsKind): bigint {
  return gasOf(kind).savedAgain;
}

/** The most that a swap of `gas` by the model needs where nothing of the pool was ever written. */
export function mostBinsGas(gas: bigint, kind: BinsKind): bigint {
  return gas + gasOf(kind).firstUse + (kind.hooked ? FIRST_HOOKS : 0n);
}

function gasOf({ key }: BinsKind): Gas {
  return key === undefined ? PAIR : SINGLETON;
}
