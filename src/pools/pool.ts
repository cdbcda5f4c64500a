import type { Address } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import { aqua } from "./aqua/aqua.ts";
import type { AquaState } from "./aqua/state.ts";
import { balancerV3 } from "./balancer-v3/balancer-v3.ts";
import type { BalancerV3State } from "./balancer-v3/state.ts";
import { balancerV3Buffer } from "./balancer-v3-buffer/balancer-v3-buffer.ts";
import type { BalancerV3BufferState } from "./balancer-v3-buffer/state.ts";
import { bins } from "./bins/bins.ts";
import type { BinsState } from "./bins/state.ts";
import { composableStable } from "./composable-stable/composable-stable.ts";
import type { ComposableStableState } from "./composable-stable/state.ts";
import { concentrated } from "./concentrated/concentrated.ts";
import type { ConcentratedState } from "./concentrated/state.ts";
import { constantProduct } from "./constant-product/constant-product.ts";
import type { ConstantProductState } from "./constant-product/state.ts";
import { cryptoswap } from "./cryptoswap/cryptoswap.ts";
import type { CryptoswapState } from "./cryptoswap/state.ts";
import type { Curve } from "./curve/curve.ts";
import { dodo } from "./dodo/dodo.ts";
import type { DodoState } from "./dodo/state.ts";
import { ekubo } from "./ekubo/ekubo.ts";
import type { EkuboState } from "./ekubo/state.ts";
import { eulerSwap } from "./euler-swap/euler-swap.ts";
import type { EulerSwapState } from "./euler-swap/state.ts";
import { fixedRate } from "./fixed-rate/fixed-rate.ts";
import type { FixedRateState } from "./fixed-rate/state.ts";
import { fluid } from "./fluid/fluid.ts";
import type { FluidState } from "./fluid/state.ts";
import { gyro } from "./gyro/gyro.ts";
import type { GyroState } from "./gyro/state.ts";
import { kuru } from "./kuru/kuru.ts";
import type { KuruState } from "./kuru/state.ts";
import { levels } from "./levels/levels.ts";
import type { LevelsState } from "./levels/state.ts";
import { maverick } from "./maverick/maverick.ts";
import type { MaverickState } from "./maverick/state.ts";
import type { PoolMath } from "./pool-math.ts";
import { psm } from "./psm/psm.ts";
import type { PsmState } from "./psm/state.ts";
import { rateToken } from "./rate-token/rate-token.ts";
import type { RateTokenState } from "./rate-token/state.ts";
import { sampledLadder } from "./sampled-ladder/sampled-ladder.ts";
import type { SampledLadderState } from "./sampled-ladder/state.ts";
import { savings } from "./savings/savings.ts";
import type { SavingsState } from "./savings/state.ts";
import { signedOrder } from "./signed-order/signed-order.ts";
import type { SignedOrderState } from "./signed-order/state.ts";
import { solidly } from "./solidly/solidly.ts";
import type { SolidlyState } from "./solidly/state.ts";
import { stableswap } from "./stableswap/stableswap.ts";
import type { StableswapState } from "./stableswap/state.ts";
import type { VaultState } from "./vault/state.ts";
import { vault } from "./vault/vault.ts";
import type { WeightedState } from "./weighted/state.ts";
import { weighted } from "./weighted/weighted.ts";
import type { WooState } from "./woofi/state.ts";
import { woofi } from "./woofi/woofi.ts";

/** Each kind of curve with its state. A new curve adds a line here and in `curves`. */
export interface CurveStates {
  readonly "constant-product": ConstantProductState;
  readonly "balancer-v3": BalancerV3State;
  readonly "balancer-v3-buffer": BalancerV3BufferState;
  readonly bins: BinsState;
  readonly "composable-stable": ComposableStableState;
  readonly concentrated: ConcentratedState;
  readonly dodo: DodoState;
  readonly ekubo: EkuboState;
  readonly "euler-swap": EulerSwapState;
  readonly "fixed-rate": FixedRateState;
  readonly fluid: FluidState;
  readonly gyro: GyroState;
  readonly solidly: SolidlyState;
  readonly stableswap: StableswapState;
  readonly "rate-token": RateTokenState;
  readonly psm: PsmState;
  readonly "sampled-ladder": SampledLadderState;
  readonly savings: SavingsState;
  readonly vault: VaultState;
  readonly levels: LevelsState;
  readonly "signed-order": SignedOrderState;
  readonly weighted: WeightedState;
  readonly cryptoswap: CryptoswapState;
  readonly woofi: WooState;
  readonly aqua: AquaState;
  readonly maverick: MaverickState;
  readonly kuru: KuruState;
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

/** Every curve there is. */
export const curves = {
  "constant-product": constantProduct,
  "balancer-v3": balancerV3,
  "balancer-v3-buffer": balancerV3Buffer,
  bins,
  "composable-stable": composableStable,
  concentrated,
  dodo,
  ekubo,
  "euler-swap": eulerSwap,
  "fixed-rate": fixedRate,
  fluid,
  gyro,
  "rate-token": rateToken,
  psm,
  "sampled-ladder": sampledLadder,
  savings,
  solidly,
  stableswap,
  vault,
  levels,
  "signed-order": signedOrder,
  weighted,
  cryptoswap,
  woofi,
  aqua,
  maverick,
  kuru,
} satisfies { readonly [K in CurveKind]: Curve<CurveStates[K]> };

/** All that is known of a pool's curve. The state type is the pool's own: `curveOf(pool).payment?.(pool.state)`. */
export function curveOf(pool: Pool): Curve<Pool["state"]> {
  return curves[pool.curve] as Curve<Pool["state"]>;
}

/** The maths of a pool's kind. The state type is the pool's own: `mathOf(pool).quoteExactIn(pool.state, …)`. */
export function mathOf(pool: Pool): PoolMath<Pool["state"]> {
  return curveOf(pool).math;
}

/** Whether a pool can be asked for an exact output. */
export function servesExactOut(pool: Pool): boolean {
  return mathOf(pool).servesExactOut?.(pool.state) ?? true;
}

/** Whether a pool is what a maker offers, by levels or by a signed order. */
export function isMakers(pool: Pool): boolean {
  return curveOf(pool).offer !== undefined;
}

/** Copy of the pool in another state, for example a quote's `next`. */
export function withState(pool: Pool, state: Pool["state"]): Pool {
  return { ...pool, state } as Pool;
}
