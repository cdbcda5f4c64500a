import type { VenueRecord } from "../../../../src/market/venue-record.ts";
import { deployPlugged } from "../../../venues/worlds/algebra/plugins.ts";
import { deployAlgebraV1 } from "../../../venues/worlds/algebra/v1.ts";
import { deployPangolinV3 } from "../../../venues/worlds/brands/pangolin-v3.ts";
import { deployRamses } from "../../../venues/worlds/slipstream.ts";
import type { ConcentratedVenue } from "../../suites/concentrated-exactness.ts";
import { type DevnetPair, type DevnetPlace, liquidityOf, sqrtPriceOf, tickOf } from "./place.ts";

/** Half the width of each position of a pool, ticks, and its worth in dollars of one token. */
const POSITIONS = [
  { width: 20_000, usd: 300_000 },
  { width: 2_400, usd: 200_000 },
  { width: 600, usd: 50_000 },
] as const;

/** Pools of concentrated liquidity whose fee is their own, each with three positions around the price. */
export async function addConcentrated(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const pangolin = await deployPangolinV3(place);
  await addPool(place, pangolin, place.pair("DAM", "WETH"), { fee: 2_500, spacing: 60 });
  const ramses = await deployRamses(place);
  await addPool(place, ramses, place.pair("LOCK", "WETH"), { fee: 3_000, spacing: 200 });
  const first = await deployAlgebraV1(place);
  await addPool(place, first, place.pair("MILL", "WETH"), { fee: 0, spacing: 60 });
  const plugged = await deployPlugged(place);
  await addPool(place, plugged, place.pair("DSD", "WETH"), { fee: 0, spacing: 60 });
  return [
    { protocol: "pangolin-v3", source: "Pangolin_V3", factory: pangolin.factory },
    { protocol: "ramses", source: "Ramses", factory: ramses.factory },
    { protocol: "algebra-v1", source: "Algebra_V1", factory: first.factory, quoter: first.quoter },
    {
      ...{ protocol: "algebra", source: "Algebra_Plugins", factory: plugged.factory },
      ...{ quoter: plugged.quoter, deployers: [plugged.deployer] },
    },
  ].map((record) => ({ ...record, fromBlock: 0n }));
}

async function addPool(
  place: DevnetPlace,
  venue: ConcentratedVenue,
  pair: DevnetPair,
  { fee, spacing }: { readonly fee: number; readonly spacing: number },
): Promise<void> {
  await place.approve(pair.tokens, venue.spenders);
  const pool = await venue.create(pair.tokens, fee, sqrtPriceOf(pair));
  const tick = tickOf(pair);
  const edge = (at: number) => Math.floor(at / spacing) * spacing;
  for (const { width, usd } of POSITIONS)
    await venue.mint(pool, edge(tick - width), edge(tick + width), liquidityOf(pair, usd, width));
  await place.mine();
}
