import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Provider } from "../../src/chain/rpc/provider.ts";
import { RpcError } from "../../src/chain/rpc/provider-errors.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import type { Address, Hex } from "../../src/domain/address.ts";
import { FRACTION_ONE, type SwapRequest } from "../../src/quoting/answer/types.ts";
import { createPoolTrial } from "../../src/quoting/quote/pool-trial.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../support/worlds/swap-world.ts";
import { sourceOf, v4HooksOnDevnet } from "../support/worlds/v4-hooks-on-devnet.ts";
import { execute, outfit } from "./execute.ts";

const TAKER = testAccount(1);
const { whale } = devnetAccounts();
const DAY = 86_400n;
const HALF_HOUR = 1_800;

interface SimulatedBlocks {
  readonly blockStateCalls: readonly { readonly blockOverrides: { readonly time: Hex } }[];
}

/** geth simulates no block that is not later than the one it stands on. */
function asGeth(node: Provider): Provider {
  return {
    ...node,
    async request(method, params, options) {
      if (method === "eth_simulateV1") {
        const [{ blockStateCalls }, block] = params as [SimulatedBlocks, { readonly blockHash: Hex }];
        const on = await node.request("eth_getBlockByHash", [block.blockHash, false]);
        const { timestamp } = on as { readonly timestamp: Hex };
        const time = blockStateCalls[0]?.blockOverrides.time ?? "0x0";
        if (BigInt(time) <= BigInt(timestamp)) {
          throw new RpcError(-38021, `block timestamps must be in order: ${time} <= ${timestamp}`);
        }
      }
      return node.request(method, params, options);
    },
  };
}

let world: SwapWorld;
let pool: Address;
beforeAll(async () => {
  world = await startSwapWorld({
    node: asGeth,
    async record(record, devnet) {
      const { timestamp } = (await devnet.rpc("eth_getBlockByNumber", ["latest", false])) as {
        readonly timestamp: Hex;
      };
      return v4HooksOnDevnet(record, devnet, ["DSD", "REED"], [Number(timestamp), 100_000, 8_000, HALF_HOUR]);
    },
  });
  await outfit(world, [TAKER]);
  const snapshot = await world.follow();
  const [first] = [...snapshot.graph.all()].filter(
    ({ curve, tokens }) => curve === "stableswap" && tokens.length === 3,
  );
  if (first === undefined) throw new Error("the devnet has no stableswap pool");
  pool = first.id as Address;
}, 120_000);
afterAll(() => world?.stop());

it("a fee that falls is quoted, and kept, where the node runs transactions a second later only", async () => {
  const snapshot = await world.follow();
  const layout = devnetLayout(whale);
  const [sellToken, buyToken] = [layout.token("DSD"), layout.token("REED")];
  for (const amount of [
    { kind: "exactIn", sellAmount: 1_500n * 10n ** 18n },
    { kind: "exactOut", buyAmount: 900n * 10n ** 18n },
  ] as const) {
    const answer = await world.quote({
      ...{ sellToken, buyToken, amount, taker: TAKER, slippage: FRACTION_ONE / 100n, skipValidation: false },
      sources: { kind: "only", ids: [sourceOf("doppler")] },
    });
    expect(answer.issues.simulationIncomplete).toBe(false);
    const { bought, sold } = await world.devnet.rolledBack(async () => {
      await world.devnet.setNextTimestamp(Number(snapshot.block.timestamp));
      return execute(world, answer, TAKER);
    });
    expect({ bought, sold }).toEqual({ bought: answer.buyAmount, sold: answer.sellAmount });
  }
  const { settlement, sources, chain } = world;
  const trial = createPoolTrial({ settlement, runner: chain.runner, sources });
  const falling = [...snapshot.graph.all()].find(({ source }) => source === sourceOf("doppler"));
  expect(falling && (await trial(falling, snapshot.block))).toEqual({ kind: "works" });
});

it("what time alone moves is quoted, and kept, where the node runs transactions a second later only", async () => {
  // As fast as Curve lets it: tenfold in a day.
  const { timestamp } = (await world.follow()).block;
  const data = encodeFunctionData({
    abi: parseAbi(["function ramp_A(uint256 a, uint256 until)"]),
    functionName: "ramp_A",
    args: [4_000n, timestamp + DAY],
  });
  expect((await world.devnet.sendTransaction(whale, { to: pool, data })).succeeded).toBe(true);
  await world.devnet.mine(Number(timestamp + DAY / 4n));
  const snapshot = await world.follow();
  const layout = devnetLayout(whale);
  const [sellToken, buyToken] = [layout.token("USDR"), layout.token("DSD")];
  const request: SwapRequest = {
    ...{ sellToken, buyToken, taker: TAKER, slippage: FRACTION_ONE / 100n, skipValidation: false },
    amount: { kind: "exactIn", sellAmount: 20_000n * 10n ** BigInt(sellToken.decimals) },
    sources: { kind: "only", ids: ["Curve"] },
  };
  const answer = await world.quote(request);
  expect(answer.issues.simulationIncomplete).toBe(false);
  expect(answer.route.fills.map((fill) => fill.pool)).toContain(pool);
  const { bought } = await world.devnet.rolledBack(async () => {
    await world.devnet.setNextTimestamp(Number(snapshot.block.timestamp));
    return execute(world, answer, TAKER);
  });
  expect(bought).toBe(answer.buyAmount);

  const { settlement, sources, chain } = world;
  const trial = createPoolTrial({ settlement, runner: chain.runner, sources });
  const ramping = snapshot.graph.pool(pool);
  expect(ramping && (await trial(ramping, snapshot.block))).toEqual({ kind: "works" });
});
