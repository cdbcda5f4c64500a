import { type Hex, sliceHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { balancerV3BufferMath } from "../../../src/pools/balancer-v3-buffer/math.ts";
import type { BalancerV3BufferState } from "../../../src/pools/balancer-v3-buffer/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { type BalancerV3World, deployBalancerV3, deskCall } from "../../venues/worlds/balancer-v3.ts";
import { deployBuffer, setBuffer, sourceOf, wrap } from "../../venues/worlds/buffer.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import type { TestVault } from "../../venues/worlds/vault.ts";

/** Our numbers against trades with buffers in Balancer V3's own vault, and what they leave there and in the ERC-4626 vault. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const ROUNDS = LONG ? 300 : 5;
const TRADES_PER_ROUND = 25;
const MIN_WRAP = 1_000n;
const SEED = 78;

let anvil: Anvil;
let world: BalancerV3World;
const vaults: TestVault[] = [];

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployBalancerV3(anvil, MIN_WRAP);
  for (const [decimals, decimalsOffset] of [
    [6, 0],
    [18, 0],
    [6, 12],
    [18, 6],
  ] as const)
    vaults.push(await deployBuffer(anvil, world, { decimals, decimalsOffset, amount: 10n ** 12n }));
});
afterAll(() => anvil?.stop());

/** Totals of a vault and what its buffer holds: balanced, skewed, without one of the two tokens, or without either. */
function anyBuffer(random: Random, decimalsOffset: number) {
  const totalAssets = random.between(10n ** 6n, 10n ** 30n);
  const even = totalAssets * 10n ** BigInt(decimalsOffset);
  const totalSupply = random.chance(0.2) ? even : random.between(even / 1_000n, 2n * even) + 1n;
  const part = () => (random.chance(0.15) ? 0n : random.pick([random.ofBits(20), random.between(1n, 1n << 40n)]));
  const of = (all: bigint) => (all * part()) >> 41n;
  return { totalAssets, totalSupply, assets: of(totalAssets), shares: of(totalSupply) };
}

/** An amount that is traded: any, the most, about what the buffer has, or next to nothing. */
function anyAmount(random: Random, most: bigint, covered: bigint): bigint {
  const kind = random.int(0, 9);
  if (kind === 0 || most < 2n) return most;
  if (kind === 1) return BigInt(random.int(1, 3_000));
  if (kind < 5 && covered > 0n && covered < most) {
    const near = covered + BigInt(random.int(-4, 4));
    return near > 0n ? near : 1n;
  }
  return random.between(1n, most);
}

const wordsOf = (answer: Hex) => Array.from({ length: 6 }, (_, i) => BigInt(sliceHex(answer, 32 * i, 32 * (i + 1))));

test("a trade with a buffer costs, pays and leaves what the vault says", async () => {
  const random = createRandom(SEED);
  const source = sourceOf(world, vaults);
  const tried = countCases("balancer-v3-buffers", "trades", SEED);
  const seen = { in: 0, out: 0, wraps: 0, served: 0, short: 0, most: 0, small: 0, refused: 0 };
  for (const vault of vaults) {
    for (let round = 0; round < ROUNDS; round++) {
      const held = anyBuffer(random, vault.decimalsOffset);
      await setBuffer(anvil, world, vault, held);
      const at = await anvil.mine();
      const pools = await source.sync(anvil.reader, source.fixed?.() ?? [], at);
      const pool = pools.find(({ tokens }) => tokens[1] === vault.vault);
      if (pool?.curve !== "balancer-v3-buffer") throw new Error("the buffer cannot be read");
      const state: BalancerV3BufferState = pool.state;
      expect(state).toMatchObject(held);
      const cases = Array.from({ length: TRADES_PER_ROUND }, () => {
        const [sell, exactIn] = [random.int(0, 1), random.chance(0.5)];
        const direction = { sell, buy: 1 - sell };
        const limits = balancerV3BufferMath.limits(state, direction, at.timestamp);
        const most = exactIn ? limits.maxSell : limits.maxBuy;
        const heldOfBought = sell === 0 ? state.shares : state.assets;
        const ask = exactIn ? balancerV3BufferMath.quoteExactIn : balancerV3BufferMath.quoteExactOut;
        const [sold, bought] = sell === 0 ? [held.totalAssets, held.totalSupply] : [held.totalSupply, held.totalAssets];
        const covered = exactIn ? (heldOfBought * sold) / bought : heldOfBought;
        const amount = anyAmount(random, most, covered) || 1n;
        const quote = ask(state, direction, amount, at.timestamp);
        const cost = exactIn ? amount : isRejection(quote) ? limits.maxSell : quote.amount;
        return { sell, exactIn, amount, most, quote, cost };
      });
      const answers = await anvil.reader.calls(
        cases.map(({ sell, exactIn, amount, cost }) => {
          const params = wrap(vault.vault, sell === 0, exactIn, amount);
          return { to: world.desk, data: deskCall("quoteBuffer", [world.vault, params, cost]) };
        }),
        at,
      );
      for (const [i, { sell, exactIn, amount, most, quote, cost }] of cases.entries()) {
        const answer = answers[i];
        if (isRejection(quote)) {
          if (quote.rejected === "TOO_SMALL") {
            expect(answer).toBeUndefined();
            seen.small++;
          } else seen.refused++;
          continue;
        }
        const { assets, shares, totalAssets, totalSupply } = quote.next;
        const ours = [cost, exactIn ? quote.amount : amount, assets, shares, totalAssets, totalSupply];
        tried.same(ours, answer === undefined ? answer : wordsOf(answer), JSON.stringify({ sell, exactIn }));
        seen[exactIn ? "in" : "out"]++;
        seen[totalSupply === state.totalSupply ? "served" : "short"]++;
        if (sell === 0) seen.wraps++;
        if (amount === most) seen.most++;
      }
    }
  }
  if (LONG) process.stdout.write(`Balancer V3's buffers: ${JSON.stringify(seen)}, differences 0\n`);
  const all = vaults.length * ROUNDS * TRADES_PER_ROUND;
  expect(seen.in + seen.out).toBeGreaterThan(all * 0.6);
  expect(Math.min(seen.in, seen.out, seen.wraps, seen.short)).toBeGreaterThan(all / 5);
  expect(seen.served).toBeGreaterThan(all / 8);
  expect(Math.min(seen.most, seen.small)).toBeGreaterThan(all / 50);
});
