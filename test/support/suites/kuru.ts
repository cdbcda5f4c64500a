import { expect, test } from "vitest";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { kuruMath } from "../../../src/pools/kuru/math.ts";
import type { KuruState } from "../../../src/pools/kuru/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { type KuruWorld, marketOrder, paidAt, readMarket } from "../../venues/worlds/singletons/kuru.ts";
import { mintedToken } from "../../venues/worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { countCases } from "./tried-cases.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const MARKETS = LONG ? 150 : 4;
/** Trades that move each market, before each of which it is asked for some amounts. */
const MOVES = 3;
const TRADES = LONG ? 18 : 8;
/** Decimals of base and quote token. */
const DECIMALS = [
  ["native", 6],
  [18, 18],
  [8, 6],
] as const;
const SIDES = ["bidSide", "askSide"] as const;

/** Contracts that are compared, and the first seed. */
interface KuruCase {
  readonly what: string;
  readonly seed: number;
  readonly deploy: (anvil: Anvil) => Promise<KuruWorld>;
  /** Whether orders may turn round to the other side. */
  readonly flips?: true;
}

/** Our numbers against the contracts' own trades, in random markets, and the side that was traded with after each. */
export function testKuru({ what, seed, deploy, flips }: KuruCase): void {
  const cases = DECIMALS.map((decimals, index) => ({ decimals, seed: seed + 10 * index }));
  test.each(cases)(`${what}: a market of $decimals decimals trades as is said`, async ({ decimals, seed: first }) => {
    const anvil = await startAnvil();
    try {
      const random = createRandom(first);
      const tried = countCases("kuru", `${what}-${decimals.join("-")}`, first);
      const world = await deploy(anvil);
      const tokens = [await tokenOf(anvil, decimals[0]), await tokenOf(anvil, decimals[1])] as const;
      const seen = { sales: 0, purchases: 0, ofVault: 0, nothing: 0, beyond: 0, moved: 0 };
      for (let count = 0; count < MARKETS; count++) {
        const market = await randomMarket(anvil, world, { tokens, random, flips: flips === true });
        let state = await readMarket(anvil, world, market, tokens);
        for (let move = 0; move < MOVES; move++) {
          for (let trade = 0; trade < TRADES; trade++) {
            const sold = random.chance(0.5) ? 0 : 1;
            const { maxSell } = kuruMath.limits(state, { sell: sold, buy: 1 - sold }, 0n);
            if (maxSell === 0n) continue;
            const beyond = random.chance(0.1);
            const amount = beyond ? maxSell + 1n : amountUpTo(random, maxSell);
            const quote = kuruMath.quoteExactIn(state, { sell: sold, buy: 1 - sold }, amount, 0n);
            const paid = await paidAt(anvil, marketOrder(market, { tokens, state, sold, amount }));
            if (beyond) {
              // The market refuses more where all of its orders are known; a vault has no end.
              const { vault, more } = state[SIDES[sold]];
              if (vault === undefined && !more)
                tried.same(/revert|Insufficient/i.test(String(paid)), true, textOf({ state, amount, paid }));
              seen.beyond++;
              continue;
            }
            tried.same(isRejection(quote) ? 0n : quote.amount, paid, textOf({ sold, amount, state }));
            if (isRejection(quote)) seen.nothing++;
            else if (sold === 0) seen.sales++;
            else seen.purchases++;
            if (!isRejection(quote) && quote.next[SIDES[sold]].vault?.price !== state[SIDES[sold]].vault?.price)
              seen.ofVault++;
          }
          const sold = random.chance(0.5) ? 0 : 1;
          const { maxSell } = kuruMath.limits(state, { sell: sold, buy: 1 - sold }, 0n);
          const amount = amountUpTo(random, maxSell / 2n + 1n);
          const quote = kuruMath.quoteExactIn(state, { sell: sold, buy: 1 - sold }, amount, 0n);
          if (isRejection(quote)) continue;
          const { to, data, value } = marketOrder(market, { tokens, state, sold, amount });
          await anvil.send(to, data, value);
          await anvil.mine();
          const before = state;
          state = await readMarket(anvil, world, market, tokens);
          tried.same(state[SIDES[sold]], quote.next[SIDES[sold]], textOf({ sold, amount, before }));
          seen.moved++;
        }
      }
      expect(seen.sales).toBeGreaterThan(MARKETS * MOVES * TRADES * 0.2);
      expect(seen.purchases).toBeGreaterThan(MARKETS * MOVES * TRADES * 0.2);
      for (const count of [seen.ofVault, seen.beyond, seen.moved]) expect(count).toBeGreaterThan(0);
    } finally {
      await anvil.stop();
    }
  });
}

async function tokenOf(anvil: Anvil, decimals: number | "native"): Promise<Address> {
  return decimals === "native" ? NATIVE_TOKEN : mintedToken(anvil, decimals);
}

/** Some thousandths of the most, now and then all of it, or next to nothing. */
function amountUpTo(random: Random, most: bigint): bigint {
  if (random.chance(0.1)) return most;
  if (random.chance(0.1)) return random.between(1n, most);
  return (most * BigInt(random.int(1, 1_000_000))) / 1_000_000n + 1n;
}

interface MarketTerms {
  readonly tokens: readonly [Address, Address];
  readonly random: Random;
  readonly flips: boolean;
}

/** A market with levels around a price, and mostly with a vault whose orders stand between and behind them. */
async function randomMarket(anvil: Anvil, world: KuruWorld, { tokens, random, flips }: MarketTerms): Promise<Address> {
  const [digits, priceDigits] = [random.int(0, 11), random.int(0, 9)];
  const precisions = [10n ** BigInt(digits), 10n ** BigInt(priceDigits)] as const;
  const spread = 10 * random.int(1, random.chance(0.5) ? 5 : 49);
  const takerFee = random.pick([0, 0, 1, 2, 10, 30, 500]);
  const market = await world.create({ tokens, precisions, takerFee, spread });
  const middle = 10n ** BigInt(random.int(2, 8)) * BigInt(random.int(1, 40)) + 20n;
  const usual = 10n ** BigInt(random.int(1, digits + 4));
  const sizeOf = () =>
    random.chance(0.15) ? BigInt(random.int(1, 30)) : random.between(usual / 100n + 1n, usual + 1n);
  const step = middle / BigInt(random.pick([20, 200, 2_000, 20_000])) + 1n;
  const hasVault = random.chance(0.75);
  if (hasVault) {
    const ask = (middle * 10n ** 18n) / precisions[1] + BigInt(random.int(0, 1_000));
    const wider = 10_000n + BigInt(spread);
    const [bid, size] = [(ask * 10_000n + wider / 2n) / wider, random.between(usual / 100n + 2n, usual + 2n)];
    await world.vault(market, {
      ask: { price: ask, size },
      bid: { price: bid, size: (size * (20_000n + BigInt(spread))) / 20_000n },
    });
    await anvil.mine();
  }
  for (const isBuy of [true, false]) {
    // A vault's two prices are apart: a book's levels stand outside of these.
    let price = isBuy ? (middle * 10_000n) / (10_000n + BigInt(spread)) : middle + 1n;
    for (let count = random.int(hasVault ? 0 : 1, 7); count > 0; count--) {
      price += (isBuy ? -1n : 1n) * random.between(1n, step + 1n);
      if (price < 2n || price > 4_000_000_000n) break;
      const flippedPrice = isBuy ? price + step : price - step;
      const turns = flips && random.chance(0.3) && flippedPrice > 0n;
      for (let orders = random.int(1, 2); orders > 0; orders--)
        await world.order(market, { isBuy, price, size: sizeOf(), ...(turns && { flippedPrice }) });
    }
  }
  await anvil.mine();
  return market;
}

function textOf(where: { readonly [name: string]: KuruState | bigint | number | string }): string {
  return JSON.stringify(where, (_, value) => (typeof value === "bigint" ? String(value) : value));
}
