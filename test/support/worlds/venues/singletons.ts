import type { VenueRecord } from "../../../../src/market/venue-record.ts";
import { configWithSpacing } from "../../../pools/ekubo/arbitrary-ekubo.ts";
import { MIDDLE_BIN } from "../../../venues/worlds/bins.ts";
import { deployEkubo } from "../../../venues/worlds/singletons/ekubo.ts";
import { deployFluid, evenWords, writeWords } from "../../../venues/worlds/singletons/fluid.ts";
import { deployInfinityBins, PLAIN } from "../../../venues/worlds/singletons/infinity-bins.ts";
import { type DevnetPlace, liquidityOf, tickOf } from "./place.ts";

/** Base of Ekubo's ticks, and ticks between two that positions may end at. */
const [EKUBO_BASE, SPACING] = [1.000001, 1_000];

/** A Core of Ekubo with two pools, one of them of the native token. */
export async function addEkubo(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const { core, desk, create, modify } = await deployEkubo(place);
  for (const pair of [place.pair("DAM", "LOCK"), place.pair("ETH", "DSD")]) {
    await place.approve(pair.tokens, [desk]);
    const tick = tickOf(pair, EKUBO_BASE);
    const pool = await create(pair.tokens, configWithSpacing(500n, SPACING), tick);
    for (const { width, usd } of [
      { width: 2_000_000, usd: 300_000 },
      { width: 60_000, usd: 100_000 },
    ]) {
      const edge = (at: number) => Math.floor(at / SPACING) * SPACING;
      const liquidity = liquidityOf(pair, usd, width, EKUBO_BASE);
      await modify(pool, edge(tick - width), edge(tick + width), liquidity);
    }
    await place.mine();
  }
  return [{ ...RECORD, protocol: "ekubo", source: "Ekubo", factory: core, passiveExtensions: [] } as VenueRecord];
}

const RECORD = { fromBlock: 0n } as const;
const BIN_STEP = 20;

/** A pool of bins of PancakeSwap Infinity, 41 of them around the price. */
export async function addInfinityBins(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const { manager, spenders, initialize, mint } = await deployInfinityBins(place);
  const pair = place.pair("USDH", "DSD");
  await place.approve(pair.tokens, spenders);
  const active = MIDDLE_BIN + Math.round(Math.log(pair.price) / Math.log(1 + BIN_STEP / 10_000));
  const pool = await initialize(pair.tokens, { ...PLAIN, fee: 400, binStep: BIN_STEP }, active);
  const [x, y] = [10_000 * pair.dollar * (1 / pair.price), 10_000 * pair.dollar].map((each) =>
    BigInt(Math.floor(each)),
  );
  const deposits = Array.from({ length: 41 }, (_, index) => active - 20 + index).map((id) => ({
    ...{ id, x: id < active ? 0n : x!, y: id > active ? 0n : y! },
  }));
  await mint(pool, deposits);
  await place.mine();
  return [{ ...RECORD, protocol: "infinity-bin", source: "Infinity_Bin", factory: manager } as VenueRecord];
}

/** A pool of Fluid's between dollars, out of collateral and debt. */
export async function addFluid(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const { record, createPool } = await deployFluid(place);
  const { tokens, decimals } = place.pair("USDH", "DSD");
  const pool = await createPool(tokens);
  const { timestamp } = await place.head();
  await writeWords(place, { record }, { pool, tokens }, evenWords(decimals, timestamp));
  await place.mine();
  return [record];
}
