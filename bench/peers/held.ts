import type { ConcentratedState } from "../../src/pools/concentrated/state.ts";
import type { Pool } from "../../src/pools/pool.ts";

/** What a pool holds of each of its tokens, about; nothing of its own share, which it makes as it sells it. */
export function heldBy(pool: Pool): readonly number[] {
  if (pool.curve === "constant-product" || pool.curve === "solidly") return pool.state.reserves.map(Number);
  if (pool.curve === "concentrated") return concentratedHeld(pool.state);
  if (pool.curve === "weighted") return pool.state.balances.map(Number);
  if (pool.curve === "composable-stable") {
    const { balances, share } = pool.state;
    return balances.map((balance, i) => (i === share ? 0 : Number(balance)));
  }
  return pool.tokens.map(() => 0);
}

function concentratedHeld({ ticks, sqrtPriceX96 }: ConcentratedState): readonly [number, number] {
  const price = Number(sqrtPriceX96) / 2 ** 96;
  let [liquidity, first, second] = [0, 0, 0];
  for (const [i, tick] of ticks.entries()) {
    liquidity += Number(tick.liquidityNet);
    const next = ticks[i + 1];
    if (next === undefined) break;
    const [low, high] = [1.0001 ** (tick.index / 2), 1.0001 ** (next.index / 2)];
    const at = Math.min(high, Math.max(low, price));
    first += liquidity * (1 / at - 1 / high);
    second += liquidity * (at - low);
  }
  return [first, second];
}
