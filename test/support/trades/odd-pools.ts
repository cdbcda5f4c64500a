import { createRandom, type Random } from "../../../fixtures/random.ts";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import { costAt, FREE } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { NetworkCost } from "../../../src/routing/router.ts";

const E18 = 10n ** 18n;
const LAST_TICK = 887_272;

/** A token, how many decimals it has, and what a base unit of it is worth. */
interface Priced {
  readonly token: Address;
  readonly decimals: number;
  readonly unit: number;
}

/** A number from 10^from to 10^to, its logarithm uniform. */
function powerOf(random: Random, from: number, to: number): number {
  return 10 ** (from + ((to - from) * random.below(1_000_000)) / 1_000_000);
}

function amountOf(value: number): bigint {
  return BigInt(Math.round(Math.max(1, Math.min(value, 2 ** 111))));
}

/** A trade over a few tokens of like value and pools of all sizes, up to half of which stand off by any factor up to 10^10. */
export function oddTrade(seed: number): { pools: readonly Pool[]; order: SwapOrder; cost: NetworkCost } {
  const random = createRandom(seed);
  const tokens = Array.from({ length: 3 + random.below(6) }, (_, i): Priced => {
    const decimals = random.pick([6, 6, 8, 18, 18, 18]);
    return { token: addressOf(i + 1), decimals, unit: powerOf(random, -3, 3) / 10 ** decimals };
  });
  const odd = random.chance(0.3) ? 0 : random.below(50) / 100;
  const count = tokens.length + random.below(random.chance(0.2) ? 60 : 12);
  const pools = Array.from({ length: count }, (_, i) => oddPool(i + 1, tokens, random, odd));
  const [sold, bought] = [tokens[0] as Priced, tokens[1] as Priced];
  const value = powerOf(random, -1, 6);
  const ends = { sellToken: sold.token, buyToken: bought.token };
  const order: SwapOrder = random.chance(0.6)
    ? { kind: "exactIn", ...ends, sellAmount: amountOf(value / sold.unit) }
    : { kind: "exactOut", ...ends, buyAmount: amountOf(value / bought.unit) };
  const perGas = powerOf(random, -8, -4);
  const rates = new Map(tokens.map(({ token, unit }) => [token, amountOf(perGas / unit)]));
  const cost = random.chance(0.5) ? FREE : costAt(1n, (token) => ({ num: rates.get(token) ?? 1n, den: 1n }));
  return { pools, order, cost };
}

function oddPool(n: number, all: readonly Priced[], random: Random, odd: number): Pool {
  const kind = random.pick([
    "constant-product",
    "constant-product",
    "concentrated",
    "concentrated",
    "weighted",
  ] as const);
  const most = kind === "weighted" ? Math.min(all.length, 2 + random.below(3)) : 2;
  const rest = [...all];
  const held = Array.from({ length: most }, () => rest.splice(random.below(rest.length), 1)[0] as Priced);
  held.sort((a, b) => (a.token < b.token ? -1 : 1));
  const [first, second] = held as [Priced, Priced];
  const depth = powerOf(random, -1, 7);
  const off = random.chance(odd) ? powerOf(random, -10, 10) : 0.995 + random.below(100) / 10_000;
  const fee = random.pick([100, 500, 3000, 10_000]);
  const named = { id: addressOf(n, "pool"), source: "any", tokens: held.map(({ token }) => token) };
  if (kind === "constant-product") {
    const reserves = [amountOf(depth / first.unit), amountOf((depth * off) / second.unit)] as const;
    return { ...named, curve: kind, state: { reserves, feeNum: BigInt(fee), feeDen: 1_000_000n } };
  }
  if (kind === "weighted") {
    const parts = held.map(() => 1 + random.below(98));
    const sum = parts.reduce((total, part) => total + part, 0);
    const weights = parts.map((part) => (BigInt(part) * E18) / BigInt(sum));
    weights[0] = (weights[0] as bigint) + E18 - weights.reduce((total, weight) => total + weight, 0n);
    const balances = held.map(({ unit }, i) =>
      amountOf((depth * (parts[i] as number) * (i === 0 ? off : 1)) / (sum * unit)),
    );
    const scales = held.map(({ decimals }) => 10n ** BigInt(18 - decimals));
    return {
      ...named,
      curve: kind,
      state: { balances, weights, scales, swapFee: BigInt(fee) * 10n ** 12n, paused: false },
    };
  }
  const spacing = random.pick([1, 10, 60, 200]);
  const rate = Math.log((first.unit / second.unit) * off) / Math.log(1.0001);
  const tick = Math.max(-880_000, Math.min(880_000, Math.round(rate)));
  const last = Math.floor(LAST_TICK / spacing) * spacing;
  const ticks = new Map<number, { liquidityNet: bigint; liquidityGross: bigint }>();
  let liquidity = 0n;
  for (let position = random.below(6); position >= 0; position--) {
    const middle = Math.floor(tick / spacing) * spacing + (random.below(41) - 20) * spacing * (1 + random.below(5));
    const width = spacing * (1 + random.below(200));
    const [lower, upper] = [Math.max(-last, middle - width), Math.min(last, middle + width)];
    if (lower >= upper) continue;
    const amount = amountOf((depth * powerOf(random, 0, 3)) / Math.sqrt(first.unit * second.unit));
    for (const [index, net] of [
      [lower, amount],
      [upper, -amount],
    ] as const) {
      const { liquidityNet, liquidityGross } = ticks.get(index) ?? { liquidityNet: 0n, liquidityGross: 0n };
      ticks.set(index, { liquidityNet: liquidityNet + net, liquidityGross: liquidityGross + amount });
    }
    if (lower <= tick && tick < upper) liquidity += amount;
  }
  const sorted = [...ticks].sort((a, b) => a[0] - b[0]).map(([index, tick]) => ({ index, ...tick }));
  const price = { sqrtPriceX96: sqrtRatioAtTick(tick), tick, liquidity };
  return { ...named, curve: kind, state: { ...price, feePpm: fee, tickSpacing: spacing, ticks: sorted } };
}
