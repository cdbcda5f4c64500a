import type { Address } from "../../src/domain/address.ts";
import type { Pool } from "../../src/pools/pool.ts";

/** Reserves below this are dust whose integer rounding alone would leave arbitrage. */
const LEAST_RESERVE = 10_000n;

/**
 * The constant-product pools of a universe, moved along their curves to the edge of their fee band around token values
 * that come from the deepest chain of pools to `anchor`: no cycle of pools earns anything then. Pools of dust, and
 * pools that no chain connects with the anchor, are left out.
 */
export function arbitrageFree(pools: readonly Pool[], anchor: Address): readonly Pool[] {
  const solid = pools.filter(
    (pool) => pool.curve === "constant-product" && pool.state.reserves.every((reserve) => reserve >= LEAST_RESERVE),
  );
  const values = valuesFrom(solid, anchor);
  return solid.flatMap((pool) => {
    if (pool.curve !== "constant-product") return [];
    const [first, second] = pool.tokens.map((token) => values.get(token));
    if (first === undefined || second === undefined) return [];
    const { feeNum, feeDen, reserves } = pool.state;
    const keep = Number(feeDen - feeNum) / Number(feeDen);
    const product = Number(reserves[0]) * Number(reserves[1]);
    const tilt = (Number(reserves[1]) * second) / (Number(reserves[0]) * first);
    // One part in 10^6 inside the band, so that rounding to integers does not leave it again.
    const edge = 1 / keep / (1 + 1e-6);
    const wanted = Math.min(edge, Math.max(1 / edge, tilt));
    if (wanted === tilt) return [pool];
    const moved = [Math.sqrt((product * second) / first / wanted), Math.sqrt((product * first * wanted) / second)];
    if (moved.some((reserve) => !(reserve >= 1e6 && reserve < 2 ** 111))) return [];
    return [
      {
        ...pool,
        state: {
          ...pool.state,
          reserves: [BigInt(Math.round(moved[0] as number)), BigInt(Math.round(moved[1] as number))] as const,
        },
      },
    ];
  });
}

/** Values of tokens in the anchor's base units: each takes the price of the deepest pool that leads on to it. */
export function valuesFrom(pools: readonly Pool[], anchor: Address): ReadonlyMap<Address, number> {
  const byToken = new Map<Address, Pool[]>();
  for (const pool of pools) for (const token of pool.tokens) byToken.set(token, [...(byToken.get(token) ?? []), pool]);
  const values = new Map<Address, number>([[anchor, 1]]);
  let open: { depth: number; token: Address; value: number }[] = [];
  const spread = (token: Address, value: number) => {
    for (const pool of byToken.get(token) ?? []) {
      if (pool.curve !== "constant-product") continue;
      const here = pool.tokens[0] === token ? 0 : 1;
      const other = pool.tokens[1 - here] as Address;
      if (values.has(other)) continue;
      const depth = Number(pool.state.reserves[here]) * value;
      open.push({ depth, token: other, value: depth / Number(pool.state.reserves[1 - here]) });
    }
  };
  spread(anchor, 1);
  while (open.length > 0) {
    let best = open[0] as (typeof open)[number];
    for (const entry of open) if (entry.depth > best.depth) best = entry;
    values.set(best.token, best.value);
    open = open.filter((entry) => entry.token !== best.token);
    spread(best.token, best.value);
  }
  return values;
}
