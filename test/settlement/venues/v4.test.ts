import { encodeErrorResult, encodeFunctionData, type Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactOut } from "../../../fixtures/settlement/routes.ts";
import { run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { executorArtifact } from "../../../src/settlement/artifacts.ts";
import { settlementContracts } from "../../../src/settlement/contracts.ts";
import { poolIdOf } from "../../../src/venues/uniswap-v4/pool-key.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { forgedSingletons } from "../chain/forged-singletons.ts";
import { testRoutes } from "../chain/modelled-routes.ts";
import { singletonRoutes, testRunningDry } from "../chain/singleton-routes.ts";
import { withV4 } from "../pools/v4.ts";

let world: World;
let v4: Awaited<ReturnType<typeof withV4>>;
beforeAll(async () => {
  v4 = await withV4(await startWorld());
  world = v4.world;
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const AMOUNT = 100n * UNIT;

describe("pools of Uniswap V4", () => {
  testRoutes(
    () => world,
    singletonRoutes(() => v4),
    (name) => (name.includes("both in one lock") ? 0.2 : 0.15),
  );

  it("of two managers are traded under the lock of each, one inside the other's", async () => {
    const second = await withV4(v4.world);
    const { usd, dai, gem } = world;
    const at: World = {
      ...second.world,
      actionOf: (fill) => (fill.poolId === v4.usdDai ? second.world : v4.world).actionOf(fill),
    };
    const route = exactOut(at, usd, gem, AMOUNT, [
      [v4.daiGem, dai, gem],
      [v4.usdDai, usd, dai],
    ]);
    const { sold, bought } = await run(at, route);
    expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: AMOUNT });
  });

  testRunningDry(() => v4);
});

describe("forged managers (incidents 9, 15, 16, 18, 22, 33)", () => {
  forgedSingletons(() => ({
    ...v4,
    actionAt: (manager) => ({ action: "v4-pool", manager, fee: 500, tickSpacing: 10, hooks: ZERO_ADDRESS }),
    idAt: (_manager, currencies) => poolIdOf({ currencies, fee: 500, tickSpacing: 10, hooks: ZERO_ADDRESS }),
  }));

  it("a callback from anybody, at rest, is refused, and so is native token", async () => {
    const { node, other, weth } = world;
    const { executor } = settlementContracts(weth);
    const call = (data: Hex) =>
      encodeFunctionData({ abi: executorArtifact.abi, functionName: "unlockCallback", args: [data] });
    for (const data of ["0x", `0x${"00".repeat(384)}`] as const) {
      const reason = revertReason(await node.revertOf({ from: other, to: executor.address, data: call(data) }));
      expect(reason).toContain("UnexpectedCallback(");
    }
    const sent = { from: other, to: executor.address as Address, data: "0x", value: 1n } as const;
    expect(revertReason(await node.revertOf(sent))).toContain("UnexpectedNative(");
  });
});

describe("a token that calls the manager while it is paid in", () => {
  const odd = compiled("OddToken");
  const managerAbi = bundled("PoolManager").abi;
  let token: Address;
  let route: Route;
  beforeEach(async () => {
    const { node, owner, taker, usd, give } = world;
    token = await node.deploy(odd);
    for (const account of [owner, taker]) await give(token, account, 10n ** 9n * UNIT);
    await node.write(taker, token, odd.abi, "approve", world.settlement.allowanceTarget, 2n ** 256n - 1n);
    const poolId = await v4.createWith(token);
    const ends = { sellToken: token, buyToken: usd, sellAmount: AMOUNT, buyAmount: AMOUNT };
    route = { kind: "exactIn", ...ends, fills: [{ poolId, source: "Test", ...ends, gas: 0n, share: SHARE_ONE }] };
  });

  const transaction = () => world.settlement.encode(route, termsFor(route, { minBuyAmount: 1n }), world.actionOf);
  const during = (to: Address, data: Hex) =>
    world.node.write(world.owner, token, odd.abi, "callDuringTransfer", to, data);

  it("is sold as any other as long as it does not", async () => {
    expect((await run(world, route, { minBuyAmount: 1n })).sold).toBe(AMOUNT);
  });

  it("takes no credit for what was paid: there is no swap then", async () => {
    const { node, taker, usd } = world;
    const calls = [
      encodeFunctionData({ abi: managerAbi, functionName: "settle" }),
      encodeFunctionData({ abi: managerAbi, functionName: "settleFor", args: [taker] }),
      encodeFunctionData({ abi: managerAbi, functionName: "sync", args: [usd] }),
      encodeFunctionData({ abi: managerAbi, functionName: "take", args: [usd, token, 1n] }),
    ];
    for (const data of calls) {
      await during(v4.manager, data);
      const reason = await node.revertOf({ from: taker, ...transaction() });
      expect(reason).toBe(encodeErrorResult({ abi: managerAbi, errorName: "CurrencyNotSettled" }));
    }
  });

  it("cannot open the lock again, nor call back in its place", async () => {
    const { node, weth } = world;
    const { executor } = settlementContracts(weth);
    const unlock = encodeFunctionData({ abi: managerAbi, functionName: "unlock", args: ["0x"] });
    const callBack = encodeFunctionData({
      abi: executorArtifact.abi,
      functionName: "unlockCallback",
      args: [`0x${"00".repeat(416)}`],
    });
    for (const [to, data, reason] of [
      [v4.manager, unlock, encodeErrorResult({ abi: managerAbi, errorName: "AlreadyUnlocked" })],
      [
        executor.address,
        callBack,
        encodeErrorResult({ abi: executorArtifact.abi, errorName: "UnexpectedCallback", args: [token] }),
      ],
    ] as const) {
      await during(to, data);
      expect((await run(world, route, { minBuyAmount: 1n })).sold).toBe(AMOUNT);
      expect(await node.read(token, odd.abi, "succeeded")).toBe(false);
      expect(await node.read(token, odd.abi, "answer")).toBe(reason);
    }
  });
});
