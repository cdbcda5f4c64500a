import { afterAll, beforeAll, expect, test } from "vitest";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { rateAt } from "../../../src/pools/savings/accrual.ts";
import { savingsMath } from "../../../src/pools/savings/math.ts";
import type { SavingsState } from "../../../src/pools/savings/state.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { createRandom } from "../../venues/worlds/traffic/random.ts";
import { deploySavings, savingsCall, setSavings } from "../../venues/worlds/vault.ts";

/** Our numbers against a contract with the formulas of Sky's savings: what it takes and pays, and what it is left with. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const STATES = LONG ? 2_400 : 15;
const TRADES_PER_STATE = 20;
const RAY = 10n ** 27n;

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

/** The vault's function for what is fixed: assets or shares that go in, or that come out. */
const FUNCTIONS = [
  { name: "deposit", sell: 0, exactIn: true },
  { name: "mint", sell: 0, exactIn: false },
  { name: "redeem", sell: 1, exactIn: true },
  { name: "withdraw", sell: 1, exactIn: false },
] as const;

test("a vault whose rate grows by the second takes and pays what is said", async () => {
  const SEED = 4_626;
  const random = createRandom(SEED);
  const tried = countCases("savings-vault", "trades", SEED);
  const { vault } = await deploySavings(anvil, 18);
  const seen = { trades: 0, out: 0, all: 0, refused: 0, grown: 0, reverting: 0 };
  for (let round = 0; round < STATES; round++) {
    const { timestamp } = await anvil.head();
    // Now and then a growth that no contract survives for long.
    const isWild = round % 5 === 4;
    const age = isWild ? 1_000n : random.ofBits(random.pick([0, 1, 4, 12, 24]));
    const start: SavingsState = {
      rate: random.pick([RAY, 1n + random.ofBits(20), RAY + random.ofBits(89), random.ofBits(127) + 1n]),
      // From less than none to a hundred per cent a year.
      growth: isWild
        ? 2n * RAY + random.ofBits(120)
        : random.pick([RAY, RAY - random.ofBits(59), RAY + random.ofBits(64)]),
      updatedAt: timestamp > age ? timestamp - age : 0n,
      totalSupply: random.ofBits(100),
    };
    await setSavings(anvil, vault, start);
    const head = await anvil.mine();
    const rate = rateAt(start, head.timestamp);
    if (rate !== start.rate) seen.grown++;
    if (rate === undefined) seen.reverting++;
    let state = start;
    const steps: { readonly data: ReturnType<typeof savingsCall>; readonly after: readonly bigint[] }[] = [];
    for (let count = 0; count < TRADES_PER_STATE; count++) {
      const { name, sell, exactIn } = random.pick(FUNCTIONS);
      const direction = { sell, buy: 1 - sell };
      const limits = savingsMath.limits(state, direction, head.timestamp);
      const most = exactIn ? limits.maxSell : limits.maxBuy;
      const isAll = random.chance(0.05);
      const amount = isAll ? most : random.between(1n, most > 1n ? most : 1n);
      const quote = savingsMath[exactIn ? "quoteExactIn" : "quoteExactOut"](state, direction, amount, head.timestamp);
      if (isRejection(quote)) {
        seen.refused++;
        continue;
      }
      if (isAll) seen.all++;
      if (!exactIn) seen.out++;
      state = quote.next;
      const parties = sell === 0 ? [anvil.multicall] : [anvil.multicall, anvil.multicall];
      steps.push({
        data: savingsCall(name, [amount, ...parties]),
        after: [quote.amount, state.totalSupply, state.rate, state.updatedAt],
      });
    }
    const answers = await anvil.reader.calls(
      [
        { to: vault, data: savingsCall("previewRedeem", [RAY]) },
        ...steps.flatMap(({ data }) => [
          { to: vault, data },
          { to: vault, data: savingsCall("totalSupply") },
          { to: vault, data: savingsCall("chi") },
          { to: vault, data: savingsCall("rho") },
        ]),
      ],
      head,
    );
    const context = JSON.stringify({ round, time: head.timestamp, start }, (_, it) =>
      typeof it === "bigint" ? `${it}` : it,
    );
    tried.same([rate], [answers[0] && BigInt(answers[0])], context);
    for (const [i, { after }] of steps.entries()) {
      const theirs = answers.slice(4 * i + 1, 4 * i + 5).map((word) => word && BigInt(word));
      tried.same(after, theirs, context);
      seen.trades++;
    }
  }
  expect(seen.trades).toBeGreaterThan(STATES * TRADES_PER_STATE * 0.35);
  expect(seen.out).toBeGreaterThan(seen.trades / 4);
  expect(seen.all).toBeGreaterThan(0);
  expect(seen.grown).toBeGreaterThan(STATES / 3);
  expect(seen.reverting).toBeGreaterThan(0);
});
