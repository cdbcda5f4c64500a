import type { Address } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import { balancerV3Math } from "./balancer-v3/math.ts";
import type { BalancerV3State } from "./balancer-v3/state.ts";
import { balancerV3BufferMath } from "./balancer-v3-buffer/math.ts";
import type { BalancerV3BufferState } from "./balancer-v3-buffer/state.ts";
import { composableStableMath } from "./composable-stable/math.ts";
import type { ComposableStableState } from "./composable-stable/state.ts";
import { concentratedMath } from "./concentrated/math.ts";
import type { ConcentratedState } from "./concentrated/state.ts";
import { constantProductMath } from "./constant-product/math.ts";
import type { ConstantProductState } from "./constant-product/state.ts";
import { cryptoswapMath } from "./cryptoswap/math.ts";
import type { CryptoswapState } from "./cryptoswap/state.ts";
import { type FixedRateState, fixedRateMath } from "./fixed-rate.ts";
import { levelsMath } from "./levels/math.ts";
import type { LevelsState } from "./levels/state.ts";
import type { PoolMath } from "./pool-math.ts";
import { psmMath } from "./psm/math.ts";
import type { PsmState } from "./psm/state.ts";
import { rateTokenMath } from "./rate-token/math.ts";
import type { RateTokenState } from "./rate-token/state.ts";
import { signedOrderMath } from "./signed-order/math.ts";
import type { SignedOrderState } from "./signed-order/state.ts";
import { solidlyMath } from "./solidly/math.ts";
import type { SolidlyState } from "./solidly/state.ts";
import { stableswapMath } from "./stableswap/math.ts";
import type { StableswapState } from "./stableswap/state.ts";
import { vaultMath } from "./vault/math.ts";
import type { VaultState } from "./vault/state.ts";
import { weightedMath } from "./weighted/math.ts";
import type { WeightedState } from "./weighted/state.ts";

/** Each kind of curve with its state. A new curve adds a line here and in `maths`. */
export interface CurveStates {
  readonly "constant-product": ConstantProductState;
  readonly "balancer-v3": BalancerV3State;
  readonly "balancer-v3-buffer": BalancerV3BufferState;
  readonly "composable-stable": ComposableStableState;
  readonly concentrated: ConcentratedState;
  readonly "fixed-rate": FixedRateState;
  readonly solidly: SolidlyState;
  readonly stableswap: StableswapState;
  readonly "rate-token": RateTokenState;
  readonly psm: PsmState;
  readonly vault: VaultState;
  readonly levels: LevelsState;
  readonly "signed-order": SignedOrderState;
  readonly weighted: WeightedState;
  readonly cryptoswap: CryptoswapState;
}

export type CurveKind = keyof CurveStates;

/** One pool as the router and the market know it: immutable, and plain data throughout. */
export type Pool = {
  [K in CurveKind]: {
    readonly id: PoolId;
    readonly source: SourceId;
    /** Tokens in the pool's own order; directions are indices into it. */
    readonly tokens: readonly Address[];
    /**
     * Accounts that can change the pool's terms within a block, besides those that govern its venue: hooks and owners that
     * set the fee, rate providers. Absent: nobody can.
     */
    readonly controllers?: readonly Address[];
    readonly curve: K;
    readonly state: CurveStates[K];
  };
}[CurveKind];

const maths: { readonly [K in CurveKind]: PoolMath<CurveStates[K]> } = {
  "constant-product": constantProductMath,
  "balancer-v3": balancerV3Math,
  "balancer-v3-buffer": balancerV3BufferMath,
  "composable-stable": composableStableMath,
  concentrated: concentratedMath,
  "fixed-rate": fixedRateMath,
  "rate-token": rateTokenMath,
  psm: psmMath,
  solidly: solidlyMath,
  stableswap: stableswapMath,
  vault: vaultMath,
  levels: levelsMath,
  "signed-order": signedOrderMath,
  weighted: weightedMath,
  cryptoswap: cryptoswapMath,
};

/** The maths of a pool's kind. The state type is the pool's own: `mathOf(pool).quoteExactIn(pool.state, …)`. */
export function mathOf(pool: Pool): PoolMath<Pool["state"]> {
  return maths[pool.curve] as PoolMath<Pool["state"]>;
}

/** Whether a pool can be asked for an exact output. */
export function servesExactOut(pool: Pool): boolean {
  return mathOf(pool).servesExactOut?.(pool.state) ?? true;
}

/** The same pool in another state, for example a quote's `next`. */
export function withState(pool: Pool, state: Pool["state"]): Pool {
  return { ...pool, state } as Pool;
}
