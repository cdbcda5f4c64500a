import { afterAll, beforeAll, expect, it } from "vitest";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { FRACTION_ONE, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { createPoolTrial } from "../../../src/quoting/quote/pool-trial.ts";
import { execute } from "../../promise/execute.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";

const SOURCE = "LFJ_V2_2";
const TAKER = testAccount(4_004);
const USD = 10n ** 6n;

let world: SwapWorld;
let [usdh, weth]: Address[] = [];
beforeAll(async () => {
  world = await startSwapWorld();
  const { devnet } = world;
  [usdh, weth] = ["USDH", "WETH"].map((name) => devnet.tokens.find(({ symbol }) => symbol === name)!.address);
  await devnet.fund(usdh!, TAKER, 1_000_000n * USD);
  await devnet.fund(NATIVE_TOKEN, TAKER, 10n ** 19n);
  await devnet.fund(weth!, TAKER, 10n ** 19n);
  for (const token of [usdh!, weth!])
    await devnet.approve(token, TAKER, world.settlement.allowanceTarget, (1n << 256n) - 1n);
}, 180_000);
afterAll(() => world?.stop());

function request([sold, bought]: readonly [Address, Address], amount: SwapRequest["amount"]): SwapRequest {
  const token = (address: Address) => world.devnet.tokens.find((listed) => listed.address === address)!;
  return {
    ...{ sellToken: token(sold), buyToken: token(bought), amount },
    ...{ slippage: FRACTION_ONE / 100n, taker: TAKER, skipValidation: false },
    sources: { kind: "only", ids: [SOURCE] },
  };
}

it("what anybody gives to a pair of bins goes to who trades next, and takes the pair from no quote", async () => {
  const { devnet, settlement, sources, chain } = world;
  const { graph } = await world.follow();
  const pairs = [...graph.all()].filter(
    ({ source, tokens }) => source === SOURCE && tokens.includes(usdh!) && tokens.includes(weth!),
  );
  expect(pairs.length).toBeGreaterThan(0);
  for (const { id } of pairs) {
    await devnet.fund(usdh!, id as Address, 7n * USD);
    await devnet.fund(weth!, id as Address, 10n ** 15n);
  }
  const snapshot = await world.follow();

  for (const [ends, amount] of [
    [[usdh!, weth!], { kind: "exactIn", sellAmount: 1_000n * USD }],
    [[weth!, usdh!], { kind: "exactOut", buyAmount: 100n * USD }],
  ] as const) {
    const answer = await world.quote(request(ends, amount));
    expect(answer.issues.simulationIncomplete).toBe(false);
    const { sold, bought, leftBehind } = await devnet.rolledBack(() => execute(world, answer, TAKER));
    expect([sold, leftBehind]).toEqual([answer.sellAmount, []]);
    expect(bought).toBeGreaterThan(answer.buyAmount);
  }

  const parts = { settlement, runner: chain.runner };
  const trial = createPoolTrial({ ...parts, sources });
  const strict = createPoolTrial({
    ...parts,
    sources: new Map([...sources].map(([id, { takesDonations: _, ...source }]) => [id, source])),
  });
  for (const { id } of pairs) {
    const pool = snapshot.graph.pool(id)!;
    expect(await trial(pool, snapshot.block)).toEqual({ kind: "works" });
    expect((await strict(pool, snapshot.block)).kind).toBe("fails");
  }
});
