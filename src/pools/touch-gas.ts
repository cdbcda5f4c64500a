import { concentratedSavedAgain } from "./concentrated/gas.ts";
import type { CurveKind, Pool } from "./pool.ts";
import type { Direction } from "./pool-math.ts";

/** What a touch of a pool costs otherwise than by its maths. */
interface Touch {
  /**
   * What a further touch of the same pool in the same direction saves within one transaction: contract, slots and balances
   * have been met. In another direction it saves about as much, which is not counted: the search values each direction of a
   * pool by itself, and its proof needs the least that one costs.
   */
  savedAgain(gas: bigint): bigint;
  /**
   * What a touch gives back at the end for slots that it has filled and emptied: the allowance of a venue that draws, the
   * executor's balance of what is drawn, what a venue brings to the executor first (19,900 each). By the token that is sold
   * where that makes a difference. A touch's gas counts it.
   */
  readonly givenBack: bigint | readonly [bigint, bigint];
  /** Whether one of these slots is for what is bought, which the venue brings to the executor; by the token sold likewise. */
  readonly passesOn?: true | readonly [boolean, boolean];
}

const always = (saved: bigint) => () => saved;
const part = (percent: bigint) => (gas: bigint) => (gas * percent) / 100n;

/** Measured, and held to what is measured, by test/promise/gas-of-touches.test.ts. */
const TOUCHES: { readonly [K in Exclude<CurveKind, "concentrated">]: Touch } = {
  "constant-product": { savedAgain: always(35_000n), givenBack: 0n },
  solidly: { savedAgain: always(77_000n), givenBack: 0n },
  stableswap: { savedAgain: always(53_000n), givenBack: 59_700n, passesOn: true },
  cryptoswap: { savedAgain: always(0n), givenBack: 59_700n, passesOn: true },
  weighted: { savedAgain: part(43n), givenBack: 39_800n },
  "composable-stable": { savedAgain: part(42n), givenBack: 39_800n },
  "balancer-v3": { savedAgain: part(46n), givenBack: 0n },
  "balancer-v3-buffer": { savedAgain: always(33_000n), givenBack: [25_500n, 5_600n] },
  vault: { savedAgain: always(14_000n), givenBack: [39_800n, 19_900n] },
  "rate-token": { savedAgain: always(20_500n), givenBack: [59_700n, 39_800n], passesOn: true },
  psm: { savedAgain: always(20_000n), givenBack: 39_800n },
  // The wrapped token's slot: a deposit fills it for whoever draws or sends it on, a withdrawal empties it.
  "fixed-rate": { savedAgain: always(4_000n), givenBack: 19_900n, passesOn: [true, false] },
  levels: { savedAgain: always(0n), givenBack: 0n },
  "signed-order": { savedAgain: always(0n), givenBack: 0n },
};

/** Of one touch that uses `gas` at a pool which the transaction has not met before. */
export function touchGas(
  pool: Pool,
  direction: Direction,
  gas: bigint,
  isFurther: boolean,
): { readonly gas: bigint; readonly givenBack?: bigint; readonly passesOn?: true } {
  const { savedAgain, givenBack: given, passesOn: passes = false } = touchOf(pool);
  const sold = direction.sell === 0 ? 0 : 1;
  const givenBack = typeof given === "bigint" ? given : given[sold];
  const passesOn = typeof passes === "boolean" ? passes : passes[sold];
  return {
    gas: isFurther ? gas - savedAgain(gas) : gas,
    ...(givenBack > 0n && { givenBack }),
    ...(passesOn && { passesOn: true }),
  };
}

function touchOf(pool: Pool): Touch {
  if (pool.curve !== "concentrated") return TOUCHES[pool.curve];
  return { savedAgain: always(concentratedSavedAgain(pool.state)), givenBack: 0n };
}
