import type { World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { pangolinFactory } from "../../venues/worlds/brands/pangolin-v3.ts";
import { withPoolsOf } from "./pancake-v3.ts";

/** The world with pools of usd and dai and of dai and gem at price one that call back as Pangolin V3's do, traded before. */
export async function withPangolinV3(world: World) {
  const factory = await world.node.deploy({ ...bundled("UniswapV3Factory"), ...pangolinFactory });
  const pool = bundled("UniswapV3Pool");
  return withPoolsOf(world, { factory, pool, action: (address) => ({ action: "pangolin-v3-pool", pool: address }) });
}
