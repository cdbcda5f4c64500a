import type { Fill } from "../domain/route.ts";
import { mostConcentratedGas } from "./concentrated/gas.ts";
import { MOST_MORE_BEFORE_NG } from "./cryptoswap/gas.ts";
import type { CurveKind, Pool } from "./pool.ts";
import { mostSolidlyGas, solidlyGasComingDue } from "./solidly/gas.ts";
import { MOST_ORACLE_GAS } from "./weighted/gas.ts";

/** A storage slot that is written for the first time, beyond one that is written again (EIP-2929, EIP-3529). */
const NEW_SLOT = 17_100n;
/** What a contract maker may use to judge a signature (contracts/src/OrderSettlement.sol), and the call around it. */
const ERC1271_GAS = 210_000n;

/** What the first use of a pool takes beyond its gas by the model and what is given back in the end. */
const FIRST_USE: {
  readonly [K in Exclude<CurveKind, "concentrated" | "signed-order" | "solidly" | "weighted" | "cryptoswap">]: (
    tokens: bigint,
  ) => bigint;
} = {
  // Two sums of prices, and what comes back for the lock in the end only.
  "constant-product": () => 40_000n,
  // The administrator's share, and of StableSwap-NG the averages; the fee that is left in the pool.
  stableswap: () => 3n * NEW_SLOT,
  // Each token's rate may be asked for again.
  "composable-stable": (tokens) => NEW_SLOT + 15_000n * tokens,
  // The protocol's fees: of the swap, and of each token's growth in value.
  "balancer-v3": (tokens) => (1n + tokens) * NEW_SLOT,
  "balancer-v3-buffer": () => NEW_SLOT,
  vault: () => NEW_SLOT,
  "rate-token": () => NEW_SLOT,
  // What cannot be turned into a whole unit of gem goes to the taker.
  psm: () => NEW_SLOT + 40_000n,
  "fixed-rate": () => 0n,
  levels: () => 2n * NEW_SLOT,
};

/**
 * The most gas that a touch of a pool needs, where nothing of it has ever been written: before anything is given back, and
 * with what time alone may add until the transaction is mined. test/promise/cold-gas.test.ts sends transactions with it.
 */
export function mostTouchGas(pool: Pool, fill: Pick<Fill, "gas" | "givenBack">, isFurther: boolean): bigint {
  const { gas, givenBack = 0n } = fill;
  switch (pool.curve) {
    case "concentrated":
      return mostConcentratedGas(pool.state, gas, isFurther);
    case "solidly":
      return mostSolidlyGas(pool.state);
    case "signed-order":
      // What the maker is paid may be new to it, and is to the contract that passes it on.
      return gas + 2n * NEW_SLOT + (pool.state.judgesItself === true ? ERC1271_GAS : 0n);
    case "cryptoswap": {
      // The administrator's share, averages and the fee, and a move of the internal price, of which the model counts half.
      const more = pool.state.generation === undefined ? 19_000n : MOST_MORE_BEFORE_NG;
      return gas + givenBack + 3n * NEW_SLOT + more;
    }
    case "weighted": {
      const mayKeepOracle = pool.state.firstVersion && pool.tokens.length === 2;
      return gas + givenBack + NEW_SLOT + (mayKeepOracle ? MOST_ORACLE_GAS : 0n);
    }
    default:
      return gas + givenBack + FIRST_USE[pool.curve](BigInt(pool.tokens.length));
  }
}

/** What a touch of a pool takes more at a later time, unix seconds, than at an earlier one. */
export function gasComingDue(pool: Pool, from: bigint, until: bigint): bigint {
  return pool.curve === "solidly" ? solidlyGasComingDue(pool.state, from, until) : 0n;
}
