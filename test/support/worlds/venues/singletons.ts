import type { VenueRecord } from "../../../../src/market/venue-record.ts";
import { configWithSpacing } from "../../../pools/ekubo/arbitrary-ekubo.ts";
import { MIDDLE_BIN } from "../../../venues/worlds/bins.ts";
import { deployEkubo } from "../../../venues/worlds/singletons/ekubo.ts";
import { deployFluid, evenWords, writeWords } from "../../../venues/worlds/singletons/fluid.ts";
import { deployInfinityBins, PLAIN } from "../../../venues/worlds/singletons/infinity-bins.ts";
import { deployKuru } from "../../../venues/worlds/singletons/kuru.ts";
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

/** Prices have 32 bits: so many digits are kept below that. */
const MOST_PRICE = 10 ** 9;
/** Levels on either side, a thousandth of the price apart and each worth so many dollars, and what a vault's order is worth. */
const [LEVELS, USD_IN_LEVEL, USD_IN_ORDER] = [20, 5_000, 2_000];
const [TAKER_FEE, SPREAD] = [5, 30];
/** More than all levels and as many of the vault's orders as a trade meets are worth. */
const USD_HELD = 500_000;

/** Two markets of Kuru at the devnet's prices, with vaults, one of them of the native token. */
export async function addKuru(place: DevnetPlace): Promise<readonly VenueRecord[]> {
  const { record, create, order, vault } = await deployKuru(place);
  for (const { tokens, decimals, price, dollar } of [place.pair("ETH", "DSD"), place.pair("USDH", "WETH")]) {
    const whole = price * 10 ** (decimals[0] - decimals[1]);
    const digits = Math.min(9, Math.floor(Math.log10(MOST_PRICE / whole)));
    const sizeDigits = Math.min(8, decimals[0]);
    const precisions = [10n ** BigInt(sizeDigits), 10n ** BigInt(digits)] as const;
    const held = [(USD_HELD * dollar) / price, USD_HELD * dollar].map((worth) => BigInt(Math.floor(worth)));
    const market = await create({
      ...{ tokens, precisions, takerFee: TAKER_FEE, spread: SPREAD },
      held: [held[0]!, held[1]!],
    });
    const sizeOf = (usd: number) => BigInt(Math.floor(((usd * dollar) / price / 10 ** decimals[0]) * 10 ** sizeDigits));
    const middle = Math.floor(whole * 10 ** digits);
    for (let level = 1; level <= LEVELS; level++)
      for (const isBuy of [true, false])
        await order(market, {
          ...{ isBuy, price: BigInt(Math.floor(middle * (1 + ((isBuy ? -1 : 1) * level) / 1_000))) },
          size: sizeOf(USD_IN_LEVEL),
        });
    const ask = BigInt(Math.floor(whole * 1.0015 * 1e18));
    const bid = (ask * 10_000n) / (10_000n + BigInt(SPREAD));
    const size = sizeOf(USD_IN_ORDER);
    await vault(market, { ask: { price: ask, size }, bid: { price: bid, size } });
    await place.mine();
  }
  return [record as VenueRecord];
}
