import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type AbiFunction,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  pad,
  toFunctionSelector,
} from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { type ExactOutRoute, type Fill, type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { executorArtifact, gatewayArtifact, partArtifacts } from "../../../src/settlement/artifacts.ts";
import { allContracts, settlementContracts } from "../../../src/settlement/contracts.ts";
import type { PartName } from "../../../src/settlement/venue-codes.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { rawSwap } from "../chain/direct.ts";
import { tradeWithFee } from "../chain/to-the-wei.ts";

const token = compiled("PlainToken");
const AMOUNT = 100n * UNIT;
const SOURCES = fileURLToPath(new URL("../../../contracts/src", import.meta.url));

let world: World;
let gateway: Address;
let executor: Address;
/** Somebody without any tokens who wants those of `taker`, whose approval of the gateway is without limit. */
let attacker: Address;
beforeAll(async () => {
  world = await startWorld();
  const contracts = settlementContracts(world.weth);
  gateway = contracts.gateway.address;
  executor = contracts.executor.address;
  attacker = world.other;
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const holdings = async () =>
  Promise.all([world.usd, world.dai, world.gem, world.weth].map((each) => world.balance(each, world.taker)));

async function reasonOf(from: Address, to: Address, data: Hex, value = 0n): Promise<string> {
  return revertReason(await world.node.revertOf({ from, to, data, value }));
}

/** Every callback of a concentrated pool, by the action that expects it. */
const CALLBACKS = {
  "v3-pool": "uniswapV3SwapCallback",
  "pancake-v3-pool": "pancakeV3SwapCallback",
  "algebra-pool": "algebraSwapCallback",
  "pangolin-v3-pool": "pangolinv3SwapCallback",
} as const;
const DIALECTS = Object.keys(CALLBACKS) as readonly (keyof typeof CALLBACKS)[];
const selectorOf = (functionName: string) =>
  toFunctionSelector(getAbiItem({ abi: executorArtifact.abi, name: functionName }) as AbiFunction);

const callback = (amount: bigint, data: Hex = "0x", functionName: string = CALLBACKS["v3-pool"]) =>
  encodeFunctionData({ abi: executorArtifact.abi, functionName, args: [amount, -1n, data] });
const pull = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi: gatewayArtifact.abi, functionName: "pull", args: [to, amount] });
const evilPlan = (take: bigint, give: bigint) =>
  encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [take, give]);

describe("somebody else's approval (incidents 1-5, 7, 8, 10, 12-14, 16, 17, 24, 28, 29)", () => {
  it("cannot be drawn on outside a swap", async () => {
    for (const from of [attacker, world.taker]) {
      expect(await reasonOf(from, gateway, pull(attacker, 1n))).toContain("NotTheExecutor(");
    }
  });

  it("cannot be drawn on by an executor of the attacker's: it reaches the attacker's own tokens only", async () => {
    const { node, usd, dai } = world;
    const evil = await node.deploy(compiled("EvilExecutor"));
    const data = rawSwap(
      { executor: evil, sellToken: usd, maxSellAmount: AMOUNT, buyToken: dai },
      evilPlan(AMOUNT, 0n),
    );
    expect(await reasonOf(attacker, gateway, data)).toBe("allowance too small");
  });

  it("is not reached by a token, a pool or the wrapped native token in the place of the executor", async () => {
    const { usd, dai, weth, venues } = world;
    const before = await holdings();
    for (const wrong of [usd, dai, weth, venues.usdDai, venues.usdDaiV3, world.taker, gateway]) {
      const terms = { executor: wrong, sellToken: usd, maxSellAmount: AMOUNT, buyToken: dai };
      // Reverts, or the minimum does it: `reasonOf` fails when the call goes through.
      expect(await reasonOf(attacker, gateway, rawSwap(terms, "0x0000"))).not.toBe("");
    }
    expect(await holdings()).toEqual(before);
  });

  it("is not left open by a swap that spent less than it might have, not even in the same transaction", async () => {
    const { node, owner, usd, dai, venues, settlement, give } = world;
    const keeper = await node.deploy(compiled("Keeper"));
    const two = await node.deploy(compiled("OneTransaction"));
    const evil = await node.deploy(compiled("EvilExecutor"));
    await give(usd, keeper, 1_000n * UNIT);
    await node.write(owner, keeper, compiled("Keeper").abi, "approve", usd, gateway);
    const route = exactOut(world, usd, dai, UNIT, [[venues.usdDai, usd, dai]]);
    const first = settlement.encode(
      route,
      termsFor(route, { maxSellAmount: 1_000n * UNIT, recipient: owner }),
      world.actionOf,
    );
    // Native token is sold, so that this call opens no allowance of its own.
    const second = rawSwap(
      { executor: evil, sellToken: NATIVE_TOKEN, maxSellAmount: 1n, buyToken: dai },
      evilPlan(UNIT, 0n),
    );
    const data = encodeFunctionData({
      abi: compiled("OneTransaction").abi,
      functionName: "run",
      args: [keeper, gateway, first.data, second],
    });
    expect(await reasonOf(attacker, two, data, 1n)).toBe(`SellAmountExceeded(0, ${UNIT})`);
  });

  it("given to the executor by mistake cannot be spent (incidents 19, 26, 30)", async () => {
    const { node, taker, usd, dai, venues, settlement } = world;
    await node.write(taker, usd, token.abi, "approve", executor, 2n ** 256n - 1n);
    const route = exactIn(world, usd, dai, AMOUNT, [[venues.usdDai, usd, dai]]);
    const { to, data } = settlement.encode(route, termsFor(route), world.actionOf);
    expect(await reasonOf(attacker, to, data)).toBe("allowance too small");
    expect(await reasonOf(attacker, executor, callback(1n))).toContain("UnexpectedCallback(");
    const names = executorArtifact.abi
      .filter(({ type }) => type === "function")
      .map((item) => "name" in item && item.name);
    const ofLocks = ["lockAcquired", "locked_6416899205", "unlockCallback"];
    expect(names.toSorted()).toEqual(["execute", ...ofLocks, ...Object.values(CALLBACKS)].toSorted());
  });

  it("costs a caller who names a wrong executor no more than down to the own minimum", async () => {
    const { node, taker, usd, dai, give, balance } = world;
    const evil = await node.deploy(compiled("EvilExecutor"));
    await give(dai, evil, UNIT);
    const terms = { executor: evil, sellToken: usd, maxSellAmount: AMOUNT, buyToken: dai, minBuyAmount: UNIT };
    expect(await reasonOf(taker, gateway, rawSwap(terms, evilPlan(AMOUNT, UNIT - 1n)))).toBe(
      `InsufficientOutput(${UNIT}, ${UNIT - 1n})`,
    );
    expect(await reasonOf(taker, gateway, rawSwap(terms, evilPlan(AMOUNT + 1n, UNIT)))).toContain(
      "SellAmountExceeded(",
    );
    const greedy = await node.deploy(compiled("GreedyExecutor"));
    expect(await reasonOf(taker, gateway, rawSwap({ ...terms, executor: greedy }, "0x"))).toBe(
      `SellAmountExceeded(0, ${AMOUNT})`,
    );
    const before = await balance(usd, taker);
    await node.send({ from: taker, to: gateway, data: rawSwap(terms, evilPlan(AMOUNT, UNIT)) });
    expect(before - (await balance(usd, taker))).toBe(AMOUNT);
  });
});

describe("the executor's doors", () => {
  it("are open to the gateway only", async () => {
    const data = encodeFunctionData({
      abi: executorArtifact.abi,
      functionName: "execute",
      args: [world.usd, 1n, world.dai, attacker, "0x0000"],
    });
    expect(await reasonOf(attacker, executor, data)).toContain("NotTheGateway(");
  });

  it("hold no generic call: the code names no permit and no transferFrom, and the gateway's no approve", () => {
    const { executor, parts } = settlementContracts(world.weth);
    // Approvals, and that nothing of them is left, are tested in curve-and-vault.test.ts.
    for (const { name, runtimeCode } of [executor, ...parts]) {
      for (const selector of ["d505accf", "23b872dd"]) expect(runtimeCode, name).not.toContain(selector);
    }
    expect(settlementContracts(world.weth).gateway.runtimeCode).not.toContain("095ea7b3");
  });
});

/** Functions of parts that anybody may call: they tell a cost where nothing of anybody's is (maverick-pools.test.ts). */
const OPEN_TO_ALL = ["MaverickPools.costAt", "MaverickPools.maverickV2SwapCallback"];

describe("the contracts' code", () => {
  const NEVER = { origin: 0x32, create: 0xf0, callcode: 0xf2, create2: 0xf5, selfdestruct: 0xff };
  const STORAGE = { sload: 0x54, sstore: 0x55, tload: 0x5c, tstore: 0x5d };
  const DELEGATECALL = 0xf4;

  /** Counts of each opcode in a contract's code, without pushed data. */
  function operationsOf(code: Hex): ReadonlyMap<number, number> {
    const bytes = Buffer.from(code.slice(2), "hex");
    const found = new Map<number, number>();
    for (let at = 0; at < bytes.length; at++) {
      const operation = bytes[at]!;
      found.set(operation, (found.get(operation) ?? 0) + 1);
      if (operation >= 0x60 && operation <= 0x7f) at += operation - 0x5f;
    }
    return found;
  }

  it("makes no contract, cannot vanish, and does not ask who pays for the gas", () => {
    for (const { name, runtimeCode } of allContracts(settlementContracts(world.weth))) {
      const found = operationsOf(runtimeCode);
      for (const [what, operation] of Object.entries(NEVER)) {
        expect(found.has(operation), `${name}: ${what}`).toBe(false);
      }
      // Gateway and executor remember nothing beyond a transaction; only orders are written down.
      expect(found.has(STORAGE.sstore), name).toBe(name === "OrderSettlement");
    }
  });

  it("runs no other code as its own, but for the executor that of its parts, at the one place that does so", () => {
    for (const { name, runtimeCode } of allContracts(settlementContracts(world.weth))) {
      const found = operationsOf(runtimeCode).get(DELEGATECALL);
      if (name === "Executor") expect(found, name).toBeGreaterThan(0);
      else expect(found, name).toBeUndefined();
    }
    const sources = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sol"));
    const running = sources.filter((file) => readFileSync(join(SOURCES, file), "utf8").includes(".delegatecall("));
    expect(running).toEqual(["VenuePart.sol"]);
    const calls = sources.flatMap(
      (file) => readFileSync(join(SOURCES, file), "utf8").match(/runPart\((?!address)[^,]*/g) ?? [],
    );
    expect(new Set(calls)).toEqual(new Set(["runPart(partOf(venue)", "runPart(partOf(swap.venue)"]));
  });

  it("has nothing that a part could keep or change: parts have no storage of any kind", () => {
    for (const { name, runtimeCode } of settlementContracts(world.weth).parts) {
      const found = operationsOf(runtimeCode);
      for (const [what, operation] of Object.entries(STORAGE)) {
        expect(found.has(operation), `${name}: ${what}`).toBe(false);
      }
    }
  });

  it("is run in parts by the executor only: called directly, each of their functions refuses", async () => {
    for (const { name, address } of settlementContracts(world.weth).parts) {
      const { abi } = partArtifacts[name as PartName];
      for (const item of abi.filter((each): each is AbiFunction => each.type === "function")) {
        if (OPEN_TO_ALL.includes(`${name}.${item.name}`)) continue;
        // Zeros are arguments enough: offsets point to empty bytes.
        const data = concat([toFunctionSelector(item), pad("0x", { size: 1_024 })]);
        expect(await reasonOf(world.taker, address, data), `${name}.${item.name}`).toMatch(/^CalledDirectly\(/);
      }
    }
  });
});

describe.each(DIALECTS)("forged callbacks of a %s (incidents 9, 15, 16, 18, 22, 33)", (dialect) => {
  const TRICKS = {
    AskForTooMuch: /^ExcessivePayment\(/,
    AskTwice: /^UnexpectedCallback\(/,
    NeverAsk: /^CallbackMissing\(/,
    LetAnotherAsk: /^UnexpectedCallback\(/,
    AskForNothing: /^UnexpectedCallback\(/,
    TakeLess: /^PartialFill\(/,
    LieAboutOutput: /^InsufficientOutput\(/,
  };

  /** A route of the taker's own over a pool that is none. */
  function fakeRoute(fake: Address): Route {
    const { usd, dai } = world;
    const fill: Fill = {
      ...{ poolId: fake, source: "Test", sellToken: usd, buyToken: dai },
      ...{ sellAmount: AMOUNT, buyAmount: AMOUNT, gas: 0n, share: SHARE_ONE },
    };
    return { kind: "exactIn", sellToken: usd, buyToken: dai, sellAmount: AMOUNT, buyAmount: AMOUNT, fills: [fill] };
  }

  async function trickReason(
    trick: number,
    route: (fake: Address) => Route,
    name: string = CALLBACKS[dialect],
  ): Promise<string> {
    const { node, owner, taker, settlement } = world;
    const fake = await node.deploy(compiled("FakePool"));
    await node.write(owner, fake, compiled("FakePool").abi, "play", trick, selectorOf(name));
    const planned = route(fake);
    const { to, data } = settlement.encode(planned, termsFor(planned, { minBuyAmount: 1n }), (fill) =>
      fill.poolId === fake ? { action: dialect, pool: fake } : world.actionOf(fill),
    );
    return reasonOf(taker, to, data);
  }

  const order = [
    "AskForTooMuch",
    "AskTwice",
    "NeverAsk",
    "LetAnotherAsk",
    "ChangeTheData",
    "LieAboutOutput",
    "AskForNothing",
    "TakeLess",
  ];
  for (const [trick, reason] of Object.entries(TRICKS)) {
    it(`a pool that plays ${trick} gets nothing`, async () => {
      expect(await trickReason(order.indexOf(trick), fakeRoute)).toMatch(reason);
    });
  }

  it("a pool that calls back by another dialect's name gets nothing", async () => {
    for (const other of DIALECTS.filter((each) => each !== dialect)) {
      const reason = await trickReason(order.indexOf("LieAboutOutput"), fakeRoute, CALLBACKS[other]);
      expect(reason).toMatch(/^UnexpectedCallback\(/);
    }
  });

  it("a pool for which something is made in its callback gets nothing by any of them", async () => {
    const { usd, dai, gem, venues } = world;
    const withFake = (fake: Address): Route => {
      const inner = exactOut(world, usd, dai, AMOUNT, [[venues.usdDai, usd, dai]]);
      const outer = { poolId: fake, source: "Test", sellToken: dai, buyToken: gem, share: SHARE_ONE, gas: 0n };
      const last = { ...outer, sellAmount: AMOUNT, buyAmount: AMOUNT };
      return { ...inner, buyToken: gem, buyAmount: AMOUNT, fills: [last, ...inner.fills] };
    };
    const reasons: Partial<Record<string, RegExp>> = {
      AskForTooMuch: /^SellAmountExceeded\(/,
      AskTwice: /^UnexpectedCallback\(/,
      NeverAsk: /^CallbackMissing\(/,
      LetAnotherAsk: /^UnexpectedCallback\(/,
      ChangeTheData: /^UnexpectedCallback\(/,
      // With the data as it was the same pool is paid, and the taker's minimum ends it.
      LieAboutOutput: /^InsufficientOutput\(/,
      AskForNothing: /^UnexpectedCallback\(/,
      TakeLess: /^PartialFill\(/,
    };
    for (const [trick, reason] of Object.entries(reasons)) {
      expect(await trickReason(order.indexOf(trick), withFake), trick).toMatch(reason!);
    }
  });

  it("a pool that asks for more than was quoted costs the taker no more than the own maximum", async () => {
    const { node, owner, taker, usd, dai, gem, venues, settlement, give } = world;
    const { abi } = compiled("FakePool");
    const fake = await node.deploy(compiled("FakePool"));
    await give(gem, fake, AMOUNT);
    await node.write(owner, fake, abi, "payWith", gem);
    await node.write(owner, fake, abi, "play", order.length, selectorOf(CALLBACKS[dialect]));
    const [quoted, thrice] = [AMOUNT, 3n * AMOUNT].map((made) =>
      exactOut(world, usd, dai, made, [[venues.usdDaiV3, usd, dai]]),
    ) as [ExactOutRoute, ExactOutRoute];
    const ends = { sellToken: dai, buyToken: gem, sellAmount: AMOUNT, buyAmount: AMOUNT };
    const last = { poolId: fake, source: "Test", ...ends, share: SHARE_ONE, gas: 0n };
    const route: Route = { ...quoted, buyToken: gem, fills: [last, ...quoted.fills] };
    const actionOf: World["actionOf"] = (fill) =>
      fill.poolId === fake ? { action: dialect, pool: fake } : world.actionOf(fill);
    const { to, data } = settlement.encode(route, termsFor(route, { maxSellAmount: thrice.sellAmount - 1n }), actionOf);
    expect(await reasonOf(taker, to, data)).toMatch(/^SellAmountExceeded\(/);
    const moved = await run({ ...world, actionOf }, route, { maxSellAmount: thrice.sellAmount });
    expect(moved).toMatchObject({ sold: thrice.sellAmount, bought: AMOUNT });
    expect(await leftBehind(world)).toBe(0n);
  });

  it("a pool that claims an output that it did not pay makes the next payment fail (incident 11)", async () => {
    const { dai, gem, venues } = world;
    const reason = await trickReason(order.indexOf("LieAboutOutput"), (fake) => {
      const route = fakeRoute(fake);
      if (route.kind !== "exactIn") throw new Error("unreachable");
      const next = { ...route.fills[0]!, poolId: venues.daiGemV3, sellToken: dai, buyToken: gem };
      return { ...route, buyToken: gem, fills: [...route.fills, next] };
    });
    expect(reason).toBe("balance too small");
  });

  it("a callback from anybody, at rest, is refused", async () => {
    for (const [amount, data] of [[1n], [2n ** 200n, "0xdeadbeef"], [0n], [-1n]] as const) {
      const call = callback(amount, data, CALLBACKS[dialect]);
      expect(await reasonOf(attacker, executor, call)).toContain("UnexpectedCallback(");
    }
  });
});

describe("reentrancy from a token (incidents 35, 36)", () => {
  async function swapWhile(call: { to: Address; data: Hex }): Promise<string> {
    const { node, owner, taker, usd, give } = world;
    const odd = await node.deploy(compiled("OddToken"));
    const abi = compiled("OddToken").abi;
    const pair = await world.newPair(odd, usd);
    await give(odd, taker, AMOUNT);
    await node.write(taker, odd, token.abi, "approve", gateway, AMOUNT);
    const states = new Map([...world.states, [pair, await world.poolAt(pair)]]);
    const route = exactIn({ ...world, states }, odd, usd, AMOUNT, [[pair, odd, usd]]);
    await node.write(owner, odd, abi, "callDuringTransfer", call.to, call.data);
    const { bought } = await run(world, route);
    expect(bought).toBe(route.buyAmount);
    expect(await node.read<boolean>(odd, abi, "called")).toBe(true);
    expect(await node.read<boolean>(odd, abi, "succeeded")).toBe(false);
    return revertReason(await node.read<Hex>(odd, abi, "answer"));
  }

  it("cannot start another swap", async () => {
    const data = rawSwap({ executor, sellToken: world.usd, buyToken: world.dai }, "0x0000");
    expect(await swapWhile({ to: gateway, data })).toBe("Reentered()");
  });

  it("cannot pull the rest of what is being sold", async () => {
    expect(await swapWhile({ to: gateway, data: pull(attacker, 1n) })).toContain("NotTheExecutor(");
  });

  it("cannot run the executor or call it back", async () => {
    expect(await swapWhile({ to: executor, data: callback(1n) })).toContain("UnexpectedCallback(");
    const data = encodeFunctionData({
      abi: executorArtifact.abi,
      functionName: "execute",
      args: [world.usd, 1n, world.dai, attacker, "0x0000"],
    });
    expect(await swapWhile({ to: executor, data })).toContain("NotTheGateway(");
  });
});

describe("donations (inflated balances)", () => {
  it("to the contracts count for nobody's minimum and are nobody's output", async () => {
    const { usd, dai, venues, give, balance } = world;
    await give(dai, gateway, 5n * UNIT);
    await give(dai, executor, 7n * UNIT);
    const route = exactIn(world, usd, dai, AMOUNT, [[venues.usdDai, usd, dai]]);
    await tradeWithFee(world, route);
    expect(await balance(dai, gateway)).toBe(5n * UNIT);
    expect(await balance(dai, executor)).toBe(7n * UNIT);
  });

  it("to a pair do not stop a swap that is paid straight into it", async () => {
    const { usd, dai, gem, venues, give } = world;
    await give(dai, venues.daiGem, 3n * UNIT);
    await give(usd, venues.usdDai, 3n * UNIT);
    const route = exactIn(world, usd, gem, AMOUNT, [
      [venues.usdDai, usd, dai],
      [venues.daiGem, dai, gem],
    ]);
    expect((await run(world, route)).bought).toBe(route.buyAmount);
    expect(await leftBehind(world)).toBe(0n);
  });

  it("of native token during exact-out go to the caller, with the refund", async () => {
    const { usd, weth, venues } = world;
    const route = exactOut(world, NATIVE_TOKEN, usd, UNIT, [
      [venues.usdWethV3, weth, usd],
      [weth, NATIVE_TOKEN, weth],
    ]);
    await world.node.rpc("anvil_setBalance", executor, "0x5");
    const { sold } = await run(world, route, { maxSellAmount: 2n * route.sellAmount, recipient: ZERO_ADDRESS });
    expect(sold).toBe(route.sellAmount - 5n);
    expect(await leftBehind(world)).toBe(0n);
  });
});
