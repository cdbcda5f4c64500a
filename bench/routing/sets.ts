import { FREE } from "../../fixtures/routing/request.ts";
import { costIn } from "../../fixtures/universes/gas-cost.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import type { Pool } from "../../src/pools/pool.ts";
import type { NetworkCost } from "../../src/routing/router.ts";
import { requestsFor } from "../peers/meeting/requests.ts";
import { UNIVERSES } from "../peers/meeting/universes.ts";
import { fantomSettings } from "./fantom.ts";
import { largePools } from "./large.ts";
import { priced, type Setting, tradesIn } from "./trades.ts";

/** Pools, and what is asked of them. */
export interface AskedSet {
  readonly pools: readonly Pool[];
  readonly time?: bigint;
  readonly asked: readonly { readonly order: SwapOrder; readonly cost: NetworkCost }[];
}

const ORDERS = { in: "exactIn", gas: "exactIn", out: "exactOut", outgas: "exactOut" } as const;
const LARGE = { "20k": 20_000, "100k": 100_000 } as const;
const GAS_PRICE = 50_000_000_000n;

function isOrder(name: string): name is keyof typeof ORDERS {
  return name in ORDERS;
}

/** The pools of the bench by their name: `flat`, `raw`, `20k` or `100k`; undefined for any other. */
export function settingOf(name: string): Setting | undefined {
  const [flat, asItIs] = fantomSettings();
  if (name === "flat") return flat;
  if (name === "raw") return asItIs;
  if (name !== "20k" && name !== "100k") return undefined;
  return { name, ...largePools(flat.pools, flat.values, LARGE[name]), inLine: true };
}

/**
 * The trades of the bench, named by pools and orders (`flat`, `raw`, `20k` or `100k` with `-in`, `-gas`, `-out` or
 * `-outgas`), or the requests of the comparison, named by its pools (universes.ts): `count` of them. Undefined for any other
 * name.
 */
export function setOf(name: string, count: number, seed: number | undefined): AskedSet | undefined {
  const [where = "", orders = ""] = name.split("-");
  const setting = isOrder(orders) ? settingOf(where) : undefined;
  if (setting !== undefined && isOrder(orders)) {
    const cost = orders.endsWith("gas") ? priced(setting) : FREE;
    return {
      pools: setting.pools,
      asked: tradesIn(setting, count, ORDERS[orders], seed).map(({ order }) => ({ order, cost })),
    };
  }
  const universe = UNIVERSES.find(({ key }) => key === name)?.make();
  if (universe === undefined) return undefined;
  const asked = requestsFor(universe, count, GAS_PRICE, seed ?? 1).map(
    ({ sellToken, buyToken, sellAmount, gasPrice }) => ({
      order: { kind: "exactIn" as const, sellToken, buyToken, sellAmount },
      cost: costIn(universe, gasPrice),
    }),
  );
  return { pools: universe.pools, time: universe.time, asked };
}
