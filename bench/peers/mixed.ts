import type { Address } from "../../src/domain/address.ts";
import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import type { Tick } from "../../src/pools/concentrated/state.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { addressOf, randomOf } from "../../test/support/universe.ts";
import { readUniverse } from "../universes/read.ts";
import type { BuiltInFee, Hubs } from "./built-in.ts";
import { heldBy } from "./held.ts";

/** Fee tiers that all V3 peers know, with the spacing that belongs to them. */
export const TIERS = [
  { feePpm: 100, tickSpacing: 1 },
  { feePpm: 500, tickSpacing: 10 },
  { feePpm: 10_000, tickSpacing: 200 },
] as const;
const OTHER_TOKENS = 94;
const LEAST_TICKS = 8;
/** A base unit's value in wei for the chief tokens: whole dollars at 2,500 to one ether. */
const DOLLAR = 4e14;

interface TickFile {
  readonly tickMaps: Readonly<
    Record<string, { readonly tick_data: Readonly<Record<string, { liquidity_net: string; liquidity_gross: string }>> }>
  >;
}

export interface TickMap {
  readonly ticks: readonly { readonly index: number; readonly net: number }[];
  /** A tick above which most of the map's liquidity is active. */
  readonly centre: number;
}

export interface MixedPools {
  readonly pools: readonly Pool[];
  readonly values: ReadonlyMap<Address, number>;
  readonly decimals: ReadonlyMap<Address, number>;
}

/** Seeded pools between five chief tokens and 94 others, prices within half of each pool's fee of the tokens' values. */
export function mixedPools(hubs: Hubs, fee: BuiltInFee): MixedPools {
  const maps = readTickMaps();
  const random = randomOf(20_261_121);
  const chief = [hubs.native, hubs.usdc, hubs.usdt, hubs.dai, hubs.btc];
  const values = new Map<Address, number>([
    [hubs.native, 1],
    [hubs.usdc, DOLLAR / 1e6],
    [hubs.usdt, DOLLAR / 1e6],
    [hubs.dai, DOLLAR / 1e18],
    [hubs.btc, (DOLLAR * 60_000) / 1e8],
  ]);
  const decimals = new Map<Address, number>([
    [hubs.usdc, 6],
    [hubs.usdt, 6],
    [hubs.btc, 8],
  ]);
  const others = Array.from({ length: OTHER_TOKENS }, (_, i) => addressOf(i + 1));
  for (const token of others) {
    const places = [6, 8, 18, 18, 18][Math.floor(random() * 5)] as number;
    if (places !== 18) decimals.set(token, places);
    values.set(token, (DOLLAR * 10 ** (-2 + 5 * random())) / 10 ** places);
  }
  const pools: Pool[] = [];
  const add = (a: Address, b: Address, scale: number) => {
    const tokens = a < b ? ([a, b] as const) : ([b, a] as const);
    const rate = (values.get(tokens[0]) as number) / (values.get(tokens[1]) as number);
    const worth = () => scale * 10 ** (1.5 * random());
    for (const tier of TIERS) {
      if (random() < 0.35) continue;
      const map = pick(maps.get(tier.tickSpacing) ?? [], random);
      const pool = concentratedPool(pools.length, tokens, rate, tier, map, random() - 0.5);
      const held = heldBy(pool).reduce(
        (sum, amount, i) => sum + amount * (values.get(tokens[i] as Address) as number),
        0,
      );
      const scaled = held > 0 ? withLiquidity(pool, worth() / held) : undefined;
      if (scaled !== undefined) pools.push(scaled);
    }
    for (let i = 0; i < 2; i++) {
      if (random() < 0.4) continue;
      const half = worth() / 2;
      const tilt = 1 + ((random() - 0.5) * Number(fee.feeNum)) / Number(fee.feeDen);
      const reserves = [half / (values.get(tokens[0]) as number), (half * tilt) / (values.get(tokens[1]) as number)];
      pools.push({
        id: addressOf(pools.length, "pool"),
        source: "Uniswap_V2",
        tokens,
        curve: "constant-product",
        state: {
          reserves: [BigInt(Math.round(reserves[0] as number)), BigInt(Math.round(reserves[1] as number))],
          ...fee,
        },
      });
    }
  };
  for (const [i, a] of chief.entries()) for (const b of chief.slice(i + 1)) add(a, b, 3e20);
  for (const token of others)
    for (const hub of chief) if (hub === hubs.native || random() < 0.35) add(token, hub, 1e19 * 10 ** random());
  for (let i = 0; i < OTHER_TOKENS; i++) {
    const [a, b] = [pick(others, random), pick(others, random)];
    if (a !== b && !pools.some(({ tokens }) => tokens.includes(a) && tokens.includes(b))) add(a, b, 1e19);
  }
  return { pools, values, decimals };
}

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** A map moved along the price axis, by whole spacings, so that its centre is at the wanted price. */
export function concentratedPool(
  n: number,
  tokens: readonly [Address, Address],
  rate: number,
  tier: (typeof TIERS)[number],
  map: TickMap,
  tilt: number,
): Extract<Pool, { curve: "concentrated" }> {
  const { feePpm, tickSpacing } = tier;
  const tick = Math.round((Math.log(rate) + (tilt * feePpm) / 1e6) / Math.log(1.0001));
  const shift = Math.floor((tick - map.centre) / tickSpacing) * tickSpacing;
  const [lowest, highest] = [Math.ceil(MIN_TICK / tickSpacing), Math.floor(MAX_TICK / tickSpacing)];
  const nets = new Map<number, number>();
  for (const { index, net } of map.ticks) {
    const moved = Math.min(highest, Math.max(lowest, (index + shift) / tickSpacing)) * tickSpacing;
    nets.set(moved, (nets.get(moved) ?? 0) + net);
  }
  const ticks = [...nets]
    .filter(([, net]) => net !== 0)
    .sort(([a], [b]) => a - b)
    .map(([index, net]): Tick => ({ index, liquidityNet: BigInt(net), liquidityGross: BigInt(Math.abs(net)) }));
  return {
    id: addressOf(n, "pool"),
    source: "Uniswap_V3",
    tokens,
    curve: "concentrated",
    state: { sqrtPriceX96: sqrtRatioAtTick(tick), tick, liquidity: activeAt(ticks, tick), feePpm, tickSpacing, ticks },
  };
}

/** The same pool with `factor` times the liquidity, what is active rounded down between any two ticks. */
export function withLiquidity(pool: Extract<Pool, { curve: "concentrated" }>, factor: number): Pool | undefined {
  const { state } = pool;
  let [before, exact] = [0n, 0];
  const ticks: Tick[] = [];
  for (const { index, liquidityNet } of state.ticks) {
    exact += Number(liquidityNet);
    const active = index === state.ticks.at(-1)?.index ? 0n : BigInt(Math.max(0, Math.floor(exact * factor)));
    const net = active - before;
    if (net !== 0n) ticks.push({ index, liquidityNet: net, liquidityGross: net < 0n ? -net : net });
    before = active;
  }
  const liquidity = activeAt(ticks, state.tick);
  return liquidity > 0n ? { ...pool, state: { ...state, liquidity, ticks } } : undefined;
}

function activeAt(ticks: readonly Tick[], tick: number): bigint {
  return ticks.reduce((sum, { index, liquidityNet }) => (index <= tick ? sum + liquidityNet : sum), 0n);
}

/** The real maps with enough ticks, by the widest of the tiers' spacings that all their ticks keep. */
export function readTickMaps(): ReadonlyMap<number, readonly TickMap[]> {
  const found = new Map<number, TickMap[]>();
  for (const { tick_data } of Object.values(readUniverse<TickFile>("uniswap-v4-mainnet-tickmaps").tickMaps)) {
    if (typeof tick_data !== "object" || tick_data === null) continue;
    const ticks = Object.entries(tick_data)
      .map(([index, entry]) => ({ index: Number(index), net: Number(entry.liquidity_net) }))
      .sort((a, b) => a.index - b.index);
    if (ticks.length < LEAST_TICKS) continue;
    const tier = [...TIERS].reverse().find(({ tickSpacing }) => ticks.every(({ index }) => index % tickSpacing === 0));
    if (tier === undefined) continue;
    let [active, most, centre] = [0, 0, 0];
    for (const { index, net } of ticks) {
      active += net;
      if (active > most) [most, centre] = [active, index];
    }
    if (most > 0) found.set(tier.tickSpacing, [...(found.get(tier.tickSpacing) ?? []), { ticks, centre }]);
  }
  return found;
}
