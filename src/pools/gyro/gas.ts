import type { GyroKind } from "./state.ts";

/**
 * Gas of one swap through the vault, approval and both transfers included: that of a weighted pool, and what Gyroscope's own bytecode takes
 * more than Balancer's in the same vault.
 */
const GAS: Readonly<Record<GyroKind, bigint>> = { "2clp": 92_000n, "3clp": 109_500n, eclp: 127_000n };
/** An exact output is asked for twice: what it costs, then the swap. */
const ASKED_FIRST: Readonly<Record<GyroKind, bigint>> = { "2clp": 48_500n, "3clp": 66_000n, eclp: 83_500n };
/** A token's rate, of a provider behind a proxy; 5,400 of one that keeps a number. */
const PER_RATE = 10_000n;

/** Gas of a swap in a pool that asks for so many rates. */
export function gyroGas(kind: GyroKind, rates: number, exactOut: boolean): bigint {
  const asked = PER_RATE * BigInt(rates);
  return GAS[kind] + asked + (exactOut ? ASKED_FIRST[kind] + asked : 0n);
}
