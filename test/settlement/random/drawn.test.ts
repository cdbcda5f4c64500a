import { encodeFunctionData, erc20Abi, type Hex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { holdNone, leftApproved, leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { type ExactInRoute, type ExactOutRoute, type Fill, type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { TO18, withDrawn } from "./drawn-pools.ts";

const vaultAbi = bundled("BalancerVault").abi;
const N = NATIVE_TOKEN;

let world: World;
let drawn: Awaited<ReturnType<typeof withDrawn>>;
beforeAll(async () => {
  drawn = await withDrawn(await startWorld());
  world = drawn.world;
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** Nothing is left of any token or approval. */
async function expectClean(): Promise<void> {
  expect(await leftBehind(world)).toBe(0n);
  const { rated, coin, module, double, balancer } = drawn;
  const { usd, dai, gem, weth } = world;
  expect(await holdNone(world, [rated, coin, balancer.stable.address])).toBe(true);
  const spenders = [rated, module, double, balancer.vault];
  expect(await leftApproved(world, [usd, dai, gem, weth, rated, coin], spenders)).toBe(0n);
}

async function expectExact(route: Route): Promise<bigint> {
  const { sold, bought, gasUsed } = await run(world, route);
  expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: route.buyAmount });
  await expectClean();
  await world.restore();
  return gasUsed;
}

const fillOf = (
  poolId: string,
  sellToken: Address,
  buyToken: Address,
  sellAmount: bigint,
  buyAmount: bigint,
): Fill => ({
  ...{ poolId, source: "Test", sellToken, buyToken, sellAmount, buyAmount, gas: 0n, share: SHARE_ONE },
});

/** One fill as a route, with amounts that somebody else has worked out. */
function single(kind: Route["kind"], fill: Fill): ExactInRoute | ExactOutRoute {
  const { sellToken, buyToken, sellAmount, buyAmount } = fill;
  const ends = { sellToken, buyToken, sellAmount, buyAmount };
  return kind === "exactIn" ? { kind, ...ends, fills: [fill] } : { kind, ...ends, fills: [fill] };
}

async function refusal(route: Route, at: World = world): Promise<string> {
  const { to, data, value } = at.settlement.encode(route, termsFor(route, { minBuyAmount: 1n }), at.actionOf);
  return revertReason(await at.node.revertOf({ from: at.taker, to, data, value }));
}

describe("Balancer V2", () => {
  it("sells and buys to the wei in a weighted pool, alone and among others", async () => {
    const { usd, dai, gem, venues } = world;
    const pool = drawn.balancer.weighted.address;
    for (const amount of [UNIT / 1_000n + 3n, UNIT, 900n * UNIT + 1n]) {
      await expectExact(exactIn(world, usd, dai, amount, [[pool, usd, dai]]));
      await expectExact(exactOut(world, usd, dai, amount, [[pool, usd, dai]]));
    }
    await expectExact(
      exactIn(world, usd, gem, 100n * UNIT, [
        [venues.usdDai, usd, dai, 40],
        [pool, usd, dai],
        [pool, dai, gem, 50],
        [venues.daiGem, dai, gem],
      ]),
    );
    await expectExact(
      exactOut(world, usd, gem, 10n * UNIT, [
        [pool, dai, gem],
        [venues.usdDaiV3, usd, dai, 50],
        [venues.usdDai, usd, dai],
      ]),
    );
    await expectExact(
      exactOut(world, usd, gem, 10n * UNIT, [
        [venues.daiGemV3, dai, gem],
        [pool, usd, dai],
      ]),
    );
  });

  it("goes in and out of a composable stable pool by its share, as the vault says", async () => {
    const { usd, dai, node } = world;
    const { stable, vault } = drawn.balancer;
    const share = stable.address;
    const swaps = [
      [usd, dai],
      [usd, share],
      [dai, usd],
    ] as const;
    const query = async (kind: 0 | 1, sell: Address, buy: Address, amount: bigint) => {
      const step = { poolId: stable.poolId, assetInIndex: 0n, assetOutIndex: 1n, amount, userData: "0x" as Hex };
      const funds = {
        sender: ZERO_ADDRESS,
        fromInternalBalance: false,
        recipient: ZERO_ADDRESS,
        toInternalBalance: false,
      };
      return node.read<[bigint, bigint]>(vault, vaultAbi, "queryBatchSwap", kind, [step], [sell, buy], funds);
    };
    const trade = async (kind: 0 | 1, sell: Address, buy: Address, amount: bigint) => {
      const [paid, got] = await query(kind, sell, buy, amount);
      const fill = fillOf(share, sell, buy, paid, -got);
      const { sold, bought } = await run(world, single(kind === 0 ? "exactIn" : "exactOut", fill));
      expect({ sold, bought }).toEqual({ sold: paid, bought: -got });
      await expectClean();
    };
    for (const [sell, buy] of swaps) {
      for (const kind of [0, 1] as const) await trade(kind, sell, buy, 25n * UNIT + 1n);
    }
    // The share is drawn without any approval.
    for (const kind of [0, 1] as const) await trade(kind, share, dai, 10n * UNIT);
  });

  it("is not paid twice by a vault that is none, nor left an approval", async () => {
    const { node, owner, usd, dai } = world;
    const fake = await node.deploy(compiled("FakeExchange"));
    const poolId = `0x${"ab".repeat(32)}` as Hex;
    const at: World = { ...world, actionOf: () => ({ action: "balancer-v2-pool", vault: fake, poolId }) };
    const route = single("exactIn", fillOf(poolId, usd, dai, UNIT, UNIT));
    const set = (amount: bigint) => node.write(owner, fake, compiled("FakeExchange").abi, "set", usd, amount);
    await set(UNIT - 1n);
    expect(await refusal(route, at)).toMatch(/^PartialFill\(/);
    await set(UNIT + 1n);
    expect(await refusal(route, at)).toBe("allowance too small");
    await set(UNIT);
    expect(await refusal(route, at)).toMatch(/^InsufficientOutput\(/);
  });
});

describe("tokens at a rate", () => {
  it("are wrapped and unwrapped to the wei, straight and behind pools", async () => {
    const { usd, dai, gem, venues } = world;
    const { rated } = drawn;
    for (const amount of [7n, UNIT + 1n, 100n * UNIT]) {
      await expectExact(exactIn(world, dai, rated, amount, [[rated, dai, rated]]));
      await expectExact(exactIn(world, rated, dai, amount, [[rated, rated, dai]]));
    }
    await expectExact(
      exactIn(world, usd, rated, 100n * UNIT, [
        [venues.usdDaiV3, usd, dai],
        [rated, dai, rated],
      ]),
    );
    await expectExact(
      exactIn(world, rated, gem, 100n * UNIT, [
        [rated, rated, dai],
        [venues.daiGem, dai, gem],
      ]),
    );
  });

  it("give no exact output, and nothing for tokens of another", async () => {
    const { usd, dai } = world;
    const { rated } = drawn;
    expect(await refusal(single("exactOut", fillOf(rated, dai, rated, UNIT, UNIT)))).toBe("InvalidPayload()");
    const wrong = { ...world, actionOf: () => ({ action: "rate-token", token: rated }) as const };
    expect(await refusal(single("exactIn", fillOf(rated, usd, dai, UNIT, UNIT)), wrong)).toBe("InvalidPayload()");
  });
});

describe("stability modules", () => {
  it("sell and buy to the wei; what pays for no whole unit stays with the taker", async () => {
    const { usd, dai, venues, taker } = world;
    const { module, coin } = drawn;
    await expectExact(exactIn(world, coin, dai, 1_234_567n, [[module, coin, dai]]));
    await expectExact(
      exactIn(world, coin, usd, 1_234_567n, [
        [module, coin, dai],
        [venues.usdDai, dai, usd],
      ]),
    );
    for (const amount of [5n * UNIT + 12_345n, 2n * TO18, 999n * UNIT]) {
      const route = exactIn(world, dai, coin, amount, [[module, dai, coin]]);
      const { sold, bought } = await run(world, route);
      expect(bought).toBe(route.buyAmount);
      expect(amount - sold).toBeLessThan((TO18 * 1_001n) / 1_000n);
      // One unit more would cost more than was offered.
      const worth = (route.buyAmount + 1n) * TO18;
      expect(worth + (worth * 7n) / 10_000n).toBeGreaterThan(amount);
      await expectClean();
      await world.restore();
    }
    const before = await world.balance(dai, taker);
    const behind = exactIn(world, usd, coin, 50n * UNIT + 1n, [
      [venues.usdDaiV3, usd, dai],
      [module, dai, coin],
    ]);
    const { bought } = await run(world, behind);
    expect(bought).toBe(behind.buyAmount);
    const left = (await world.balance(dai, taker)) - before;
    const made = behind.kind === "exactIn" ? behind.fills[1]!.sellAmount : 0n;
    const worth = behind.buyAmount * TO18;
    expect(left).toBe(made - worth - (worth * 7n) / 10_000n);
    expect(left).toBeGreaterThan(0n);
    await expectClean();
  });

  it("make exact outputs; of dai the surplus of the last gem is the taker's", async () => {
    const { usd, dai, venues, taker } = world;
    const { module, coin } = drawn;
    const gems = 5_000_001n;
    const cost = gems * TO18 + (gems * TO18 * 7n) / 10_000n;
    await expectExact(single("exactOut", fillOf(module, dai, coin, cost, gems)));
    const behind = exactOut(world, usd, dai, cost, [[venues.usdDaiV3, usd, dai]]);
    const last = fillOf(module, dai, coin, cost, gems);
    await expectExact({ ...behind, buyToken: coin, buyAmount: gems, fills: [last, ...behind.fills] });

    const wanted = 3n * UNIT + 1n;
    const least = (wanted * 10_000n + 9_997n * TO18 - 1n) / (9_997n * TO18);
    const gross = (least * TO18 * 9_997n) / 10_000n;
    const before = await world.balance(dai, taker);
    const { sold } = await run(world, single("exactOut", fillOf(module, coin, dai, least, wanted)));
    expect(sold).toBe(least);
    expect((await world.balance(dai, taker)) - before).toBe(gross);
    await expectClean();
  });
});

describe("a stability module whose gem has the decimals of dai", () => {
  it("makes exact outputs to the wei, either way", async () => {
    const { node, owner, usd, dai, venues, taker, give } = world;
    const coin = await node.deploy(compiled("DevnetToken"), "Coin", "COIN", 18, owner, 10n ** 30n);
    const [tin, tout] = [123_456_789_012_345n, 7n * 10n ** 14n];
    const module = await node.deploy(compiled("DevnetPsm"), dai, coin, tin, tout, owner);
    for (const account of [module, taker]) await node.write(owner, coin, erc20Abi, "transfer", account, 10n ** 24n);
    await give(dai, module, 500_000n * UNIT);
    await node.write(taker, coin, erc20Abi, "approve", world.settlement.allowanceTarget, 10n ** 24n);
    const state = { dai: 500_000n * UNIT, gem: 10n ** 24n, tin, tout, to18: 1n };
    const at: World = {
      ...world,
      states: new Map(world.states).set(module, {
        ...{ id: module, source: "Test", tokens: [dai, coin], curve: "psm", state },
      }),
      actionOf: (fill) => (fill.poolId === module ? { action: "psm", psm: module, gem: coin } : world.actionOf(fill)),
    };
    for (const wanted of [1n, 8_000n * 10n ** 9n + 1n, 400n * UNIT + 7n]) {
      for (const route of [
        exactOut(at, dai, coin, wanted, [[module, dai, coin]]),
        exactOut(at, coin, dai, wanted, [[module, coin, dai]]),
        exactOut(at, usd, coin, wanted, [
          [module, dai, coin],
          [venues.usdDaiV3, usd, dai],
        ]),
        exactOut(at, coin, usd, wanted, [
          [venues.usdDaiV3, dai, usd],
          [module, coin, dai],
        ]),
      ]) {
        const before = await node.rpc<string>("evm_snapshot");
        const { sold, bought } = await run(at, route);
        expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: wanted });
        await expectClean();
        for (const contract of at.settlement.contracts) expect(await at.balance(coin, contract)).toBe(0n);
        await node.rpc("evm_revert", before);
      }
    }
  });
});

describe("the gas model", () => {
  it("is within 15 % of what these venues use", async () => {
    const { usd, dai } = world;
    const { balancer, rated, module, coin } = drawn;
    const pool = balancer.weighted.address;
    const routes = {
      "weighted pool, exact-in": exactIn(world, usd, dai, UNIT, [[pool, usd, dai]]),
      "weighted pool, exact-out": exactOut(world, usd, dai, UNIT, [[pool, usd, dai]]),
      wrap: exactIn(world, dai, rated, UNIT, [[rated, dai, rated]]),
      unwrap: exactIn(world, rated, dai, UNIT, [[rated, rated, dai]]),
      sellGem: exactIn(world, coin, dai, 1_000_000n, [[module, coin, dai]]),
      buyGem: exactIn(world, dai, coin, UNIT, [[module, dai, coin]]),
    };
    for (const [name, route] of Object.entries(routes)) {
      const slack = route.kind === "exactIn" ? { minBuyAmount: 1n } : { maxSellAmount: 2n * route.sellAmount };
      await run(world, route, slack);
      await world.node.rpc("evm_increaseTime", 12);
      const { gasUsed, terms } = await run(world, route, slack);
      const model = world.settlement.gas(route, terms);
      expect(Math.abs(Number(model) / Number(gasUsed) - 1), `${name}: ${model}, used ${gasUsed}`).toBeLessThan(0.15);
      await world.restore();
    }
  });
});

describe("Curve's other exchanges", () => {
  it("are called by the function that the pool has", async () => {
    const { usd, dai, gem } = world;
    const { double } = drawn;
    const amount = 3n * UNIT;
    await expectExact(single("exactIn", fillOf(`${double}i`, usd, dai, amount, (amount * 999n) / 1_000n)));
    await expectExact(single("exactIn", fillOf(`${double}u`, usd, dai, amount, (amount * 998n) / 1_000n)));
    await expectExact(single("exactIn", fillOf(`${double}b`, dai, gem, amount, (amount * 997n) / 1_000n)));
  });

  it("take native token with the call and pay it back, from that pool only", async () => {
    const { usd, dai, weth, venues } = world;
    const { double } = drawn;
    const amount = 3n * UNIT;
    const got = (amount * 999n) / 1_000n;
    await expectExact(single("exactIn", fillOf(`${double}i`, N, dai, amount, got)));
    await expectExact(single("exactIn", fillOf(`${double}i`, usd, N, amount, got)));
    const wrap = fillOf(weth, N, weth, got, got);
    const behind = exactIn(world, weth, usd, got, [[venues.usdWeth, weth, usd]]) as ExactInRoute;
    await expectExact({
      ...{ kind: "exactIn", sellToken: dai, buyToken: usd, sellAmount: amount, buyAmount: behind.buyAmount },
      fills: [fillOf(`${double}i`, dai, N, amount, got), wrap, ...behind.fills],
    });
    // At rest it takes native token from nobody, a pool that it has traded with included.
    const [, executor] = world.settlement.contracts as readonly [Address, Address];
    await run(world, single("exactIn", fillOf(`${double}i`, usd, N, amount, got)));
    const sent = { from: double, to: executor, data: "0x", value: 1n } as const;
    await world.node.rpc("anvil_impersonateAccount", double);
    expect(revertReason(await world.node.revertOf(sent))).toContain("UnexpectedNative(");
    // Nor later in the transaction in which it paid.
    const caller = await world.node.deploy(compiled("NativeReceiver"));
    await world.give(usd, caller, amount);
    const by = (functionName: string, ...args: readonly unknown[]) =>
      encodeFunctionData({ abi: compiled("NativeReceiver").abi, functionName, args });
    const approve = encodeFunctionData({
      abi: erc20Abi,
      functionName: "approve",
      args: [world.settlement.allowanceTarget, amount],
    });
    await world.node.send({ to: caller, data: by("run", usd, approve) });
    const route = single("exactIn", fillOf(`${double}i`, usd, N, amount, got));
    const { to, data } = world.settlement.encode(route, termsFor(route), world.actionOf);
    const sendOn = encodeFunctionData({ abi: compiled("CurveDouble").abi, functionName: "sendOn", args: [executor] });
    const both = { to: caller, data: by("runBoth", to, data, double, sendOn), value: 1n };
    expect(revertReason(await world.node.revertOf(both)).toLowerCase()).toBe(`unexpectednative(${double})`);
  });
});
