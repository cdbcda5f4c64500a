import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FRACTION_ONE, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { execute, outfit } from "../../promise/execute.ts";
import { DEVNET_TOKENS } from "../../promise/random/random-request.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";
import { KINDS, sourceOf, v4HooksOnDevnet } from "../../support/worlds/v4-hooks-on-devnet.ts";

/** Quotes over pools of Uniswap V4 whose hooks take fees, executed on the devnet. */
const TAKER = testAccount(9_400);
const SYMBOLS = ["DSD", "REED"] as const;
const UNIT = 10n ** 18n;

let world: SwapWorld;
beforeAll(async () => {
  world = await startSwapWorld({ record: (record, devnet) => v4HooksOnDevnet(record, devnet, SYMBOLS) });
  await outfit(world, [TAKER]);
  await world.follow();
}, 300_000);
afterAll(() => world?.stop());

const tokenOf = (name: string) => DEVNET_TOKENS.find(({ symbol }) => symbol === name)!;
const DIRECTIONS = [SYMBOLS, SYMBOLS.toReversed()] as const;
const AMOUNTS = [
  { kind: "exactIn", sellAmount: 1_234_567_890_123_456_789n },
  { kind: "exactOut", buyAmount: 987_654_321_987_654_321n },
] as const;

function requestOf(
  [sold, bought]: readonly string[],
  amount: SwapRequest["amount"],
  ids: readonly string[],
): SwapRequest {
  return {
    ...{ sellToken: tokenOf(sold!), buyToken: tokenOf(bought!), amount, slippage: FRACTION_ONE / 100n, gasPrice: 0n },
    ...{ taker: TAKER, sources: { kind: "only", ids }, skipValidation: false },
  };
}

describe.each(KINDS)("a quote over hooks of the kind %s", (model) => {
  it.each(
    DIRECTIONS.flatMap((pair) => AMOUNTS.map((amount) => [pair.join(" for "), amount.kind, pair, amount] as const)),
  )("does to the wei what it says: %s, %s", async (_pair, _kind, pair, amount) => {
    const answer = await world.quote(requestOf(pair, amount, [sourceOf(model)]));
    expect(answer.route.fills.map(({ source }) => source)).toEqual([sourceOf(model)]);
    const done = await execute(world, answer, TAKER);
    expect(done.receipt.succeeded).toBe(true);
    expect({ sold: done.sold, bought: done.bought }).toEqual({ sold: answer.sellAmount, bought: answer.buyAmount });
    expect(done.leftBehind).toEqual([]);
    expect(done.receipt.gasUsed).toBeLessThanOrEqual(answer.gas);
  });
});

it("a quote over all of them together does to the wei what it says", async () => {
  const ids = KINDS.map(sourceOf);
  for (const pair of DIRECTIONS) {
    for (const amount of [
      { kind: "exactIn", sellAmount: 90_000n * UNIT },
      { kind: "exactOut", buyAmount: 50_000n * UNIT },
    ] as const) {
      const answer = await world.quote(requestOf(pair, amount, ids));
      expect(answer.route.fills.length).toBeGreaterThan(2);
      const { bound, achieved } = answer.optimality!;
      if (amount.kind === "exactIn") expect(bound).toBeGreaterThanOrEqual(achieved);
      else expect(bound).toBeLessThanOrEqual(achieved);
      const done = await execute(world, answer, TAKER);
      expect({ sold: done.sold, bought: done.bought }).toEqual({ sold: answer.sellAmount, bought: answer.buyAmount });
      expect(done.leftBehind).toEqual([]);
    }
  }
});

it("pools of hooks that one source serves are no unknown ones of another", () => {
  const counts = world.quoting
    .listSources()
    .flatMap(({ name, leftOut }) => leftOut.map(({ reason }) => [name, reason]));
  expect(counts.filter(([name, reason]) => name === "Uniswap_V4" && reason === "UNKNOWN_HOOKS")).toEqual([]);
});
