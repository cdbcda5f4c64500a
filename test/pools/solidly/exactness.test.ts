import { decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { solidlyMath } from "../../../src/pools/solidly/math.ts";
import type { SolidlyState } from "../../../src/pools/solidly/state.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { deploySolidly, type SolidlyPool, type SolidlyWorld, solidlyPoolAbi } from "../../venues/worlds/solidly.ts";
import { transferData } from "../../venues/worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";

/** Our numbers against the pools' own view and against swaps, over reserves of every size. */

const SCALE = process.env.TRIBUTARY_LONG === "1" ? 40 : 1;
const STATES = 12 * SCALE;
const QUOTES_PER_STATE = 20;
const PROBES = 40 * SCALE;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: SolidlyWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deploySolidly(anvil);
});
afterAll(() => anvil?.stop());

const KINDS = [
  { stable: false, decimals: [18, 6] },
  { stable: true, decimals: [18, 18] },
  { stable: true, decimals: [6, 18] },
  { stable: true, decimals: [6, 6] },
  { stable: true, decimals: [8, 6] },
] as const;

for (const { stable, decimals } of KINDS) {
  const label = `${stable ? "stable" : "volatile"}-${decimals.join("-")}`;
  const name = `${stable ? "stable" : "volatile"} with ${decimals.join(" and ")} decimals`;

  test(`getAmountOut gives the same: ${name}`, async () => {
    const seed = decimals[0] * 100 + decimals[1];
    const random = createRandom(seed);
    const tried = countCases("solidly", `views-${label}`, seed);
    const pool = await world.createPool(stable, decimals);
    const seen = { quotes: 0, served: 0, extreme: 0 };
    for (let round = 0; round < STATES; round++) {
      const state = await randomState(pool, random);
      const head = await anvil.head();
      const quotes = Array.from({ length: QUOTES_PER_STATE }, () => {
        const direction = random.chance(0.5) ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
        const { maxSell } = solidlyMath.limits(state, direction, 0n);
        return { direction, amount: random.chance(0.05) ? maxSell : random.between(1n, maxSell > 1n ? maxSell : 1n) };
      });
      const answers = await anvil.reader.calls(
        quotes.map(({ direction, amount }) => ({
          to: pool.address,
          data: encodeFunctionData({
            abi: solidlyPoolAbi,
            functionName: "getAmountOut",
            args: [amount, pool.tokens[direction.sell]],
          }),
        })),
        head,
      );
      for (const [index, { direction, amount }] of quotes.entries()) {
        const ours = solidlyMath.quoteExactIn(state, direction, amount, 0n);
        const theirs = amountOf(answers[index]);
        seen.quotes++;
        if (isRejection(ours)) {
          // Nothing bought, the view reverts, or the pool's reserves are beyond what is traded at all.
          if (ours.rejected === "TOO_SMALL") tried.same(0n, theirs ?? 0n);
          continue;
        }
        seen.served++;
        if (ours.amount * 1_000n > (state.reserves[direction.buy] as bigint) * 900n) seen.extreme++;
        tried.same(ours.amount, theirs);
      }
    }
    expect(seen.served).toBeGreaterThan(seen.quotes * 0.5);
    expect(seen.extreme).toBeGreaterThan(seen.quotes * 0.02);
  });

  test(`a swap leaves the pool in the state that is said: ${name}`, async () => {
    const seed = decimals[0] * 1_000 + decimals[1];
    const random = createRandom(seed);
    const tried = countCases("solidly", `swaps-${label}`, seed);
    const pool = await world.createPool(stable, decimals);
    let traded = 0;
    let bought = 0;
    for (let probe = 0; probe < PROBES; probe++) {
      const state = await randomState(pool, random);
      const direction = random.chance(0.5) ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
      const exactOut = !stable && random.chance(0.5);
      const { maxSell, maxBuy } = solidlyMath.limits(state, direction, 0n);
      const most = exactOut ? maxBuy : maxSell;
      const amount = random.between(1n, most > 1n ? most : 1n);
      const quote = exactOut
        ? solidlyMath.quoteExactOut(state, direction, amount, 0n)
        : solidlyMath.quoteExactIn(state, direction, amount, 0n);
      if (isRejection(quote)) continue;
      traded++;
      const [paid, got] = exactOut ? [quote.amount, amount] : [amount, quote.amount];
      const look = { to: pool.address, data: encodeFunctionData({ abi: solidlyPoolAbi, functionName: "getReserves" }) };
      const [, , after] = await anvil.reader.calls(
        [...swapCalls(pool, direction, paid, got), look],
        await anvil.head(),
      );
      tried.same(quote.next.reserves, reservesOf(after));
      if (!exactOut || paid < 2n) continue;
      bought++;
      // A base unit less does not do.
      const short = await anvil.reader.calls([...swapCalls(pool, direction, paid - 1n, got), look], await anvil.head());
      expect(reservesOf(short[2])).toEqual(state.reserves);
    }
    expect(traded).toBeGreaterThan(PROBES / 2);
    if (!stable) expect(bought).toBeGreaterThan(PROBES / 8);
  });
}

test("fees of every size are taken as the factory says, and a paused factory lets nothing through", async () => {
  const pool = await world.createPool(true, [6, 18]);
  await world.setReserves(pool, [10n ** 12n, 10n ** 24n]);
  for (const [set, feeBps] of [
    [300n, 300n],
    [1n, 1n],
    [420n, 0n],
    [0n, 5n],
  ] as const) {
    await world.manage("setCustomFee", [pool.address, set]);
    const head = await anvil.mine();
    const state: SolidlyState = { ...stateOf(pool, [10n ** 12n, 10n ** 24n]), feeBps };
    const direction = { sell: pool.units[0] === 10n ** 6n ? 0 : 1, buy: pool.units[0] === 10n ** 6n ? 1 : 0 };
    if (direction.sell === 1) continue;
    const quote = solidlyMath.quoteExactIn(state, direction, 123_456_789n, 0n);
    if (isRejection(quote)) throw new Error(quote.rejected);
    const look = { to: pool.address, data: encodeFunctionData({ abi: solidlyPoolAbi, functionName: "getReserves" }) };
    const [, , after] = await anvil.reader.calls(
      [...swapCalls(pool, direction, 123_456_789n, quote.amount), look],
      head,
    );
    expect(reservesOf(after)).toEqual(quote.next.reserves);
  }
  await world.manage("setPauseState", [true]);
  const head = await anvil.mine();
  const [, refused] = await anvil.reader.calls(
    [...swapCalls(pool, { sell: 0, buy: 1 }, 10n ** 6n, 1n), { to: pool.address, data: "0x" }],
    head,
  );
  expect(refused).toBeUndefined();
  await world.manage("setPauseState", [false]);
  await anvil.mine();
});

function stateOf(pool: SolidlyPool, reserves: readonly [bigint, bigint]): SolidlyState {
  return { stable: pool.stable, reserves, units: pool.units, feeBps: pool.stable ? 5n : 30n, paused: false };
}

async function randomState(pool: SolidlyPool, random: Random): Promise<SolidlyState> {
  let reserves: readonly [bigint, bigint] = [random.ofBits(111), random.ofBits(111)];
  if (pool.stable) {
    const size = random.between(10n ** 14n, 10n ** 26n);
    const other = random.chance(0.5) ? size : random.between(size / 100n, size * 100n);
    reserves = [(size * pool.units[0]) / 10n ** 18n + 1n, (other * pool.units[1]) / 10n ** 18n + 1n];
  }
  await world.setReserves(pool, reserves);
  return stateOf(pool, reserves);
}

function swapCalls(pool: SolidlyPool, { sell }: Direction, paid: bigint, got: bigint) {
  const out = sell === 0 ? [0n, got] : [got, 0n];
  return [
    { to: pool.tokens[sell] as Address, data: transferData(pool.address, paid) },
    {
      to: pool.address,
      data: encodeFunctionData({ abi: solidlyPoolAbi, functionName: "swap", args: [...out, anvil.account, "0x"] }),
    },
  ];
}

function amountOf(data: Hex | undefined): bigint | undefined {
  return data === undefined ? undefined : BigInt(data);
}

function reservesOf(data: Hex | undefined): readonly bigint[] {
  if (data === undefined) throw new Error("no reserves");
  const decoded = decodeFunctionResult({ abi: solidlyPoolAbi, functionName: "getReserves", data });
  return (decoded as readonly bigint[]).slice(0, 2);
}
