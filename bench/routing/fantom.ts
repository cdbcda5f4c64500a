import { arbitrageFree, valuesFrom } from "../../fixtures/routing/arbitrage-free.ts";
import { loadFantom } from "../../fixtures/universes/fantom.ts";
import type { Address } from "../../src/domain/address.ts";
import type { Setting } from "./trades.ts";

/** v2-ftm made free of arbitrage, and as it is. */
export function fantomSettings(): readonly [inLine: Setting, asItIs: Setting] {
  const fantom = loadFantom();
  const anchor = [...fantom.symbols].find(([, symbol]) => symbol === "WFTM")?.[0] as Address;
  const flat = arbitrageFree(fantom.pools, anchor);
  const values = valuesFrom(flat, anchor);
  return [
    { name: `v2-ftm, ${flat.length} pools`, pools: flat, values, inLine: true },
    { name: `v2-ftm as it is, ${fantom.pools.length} pools`, pools: fantom.pools, values, inLine: false },
  ];
}
