import { encodeFunctionData, type Hex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { holdNone, leftApproved, leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import { type Fill, type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { rawSwap } from "../chain/direct.ts";
import { withCurve } from "../pools/curve.ts";

const token = compiled("PlainToken");

let world: World;
let old: Address;
let ng: Address;
let oldShare: Address;
let shares: Address;
beforeAll(async () => {
  ({ world, old, ng, oldShare, shares } = await withCurve(await startWorld()));
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** Nothing is left of any token or approval. */
async function expectClean(): Promise<void> {
  expect(await leftBehind(world)).toBe(0n);
  expect(await holdNone(world, [shares, oldShare, ng])).toBe(true);
  expect(await leftApproved(world, [world.usd, world.dai, world.gem, shares], [old, ng, shares])).toBe(0n);
}

describe("Curve's pools", () => {
  it("pay to the wei, old and NG, with and without a fee, and leave no approval", async () => {
    const { usd, dai, gem, integrator } = world;
    for (const amount of [2_000_003n, UNIT, 30_000n * UNIT + 1n]) {
      const route = exactIn(world, usd, gem, amount, [
        [old, usd, dai],
        [ng, dai, gem],
      ]);
      expect(await run(world, route)).toMatchObject({ sold: amount, bought: route.buyAmount });
      await expectClean();
      await world.restore();
      const fee = { ratePpm: 10_000n, recipient: integrator };
      const { bought } = await run(world, route, { fee });
      expect(bought).toBe(route.buyAmount - route.buyAmount / 100n);
      await expectClean();
      await world.restore();
    }
  });

  it("take part in splits: twice in one route, before and after pairs that are paid ahead", async () => {
    const { usd, dai, gem, venues } = world;
    const route = exactIn(world, usd, gem, 20_000n * UNIT, [
      [old, usd, gem, 30],
      [venues.usdDaiV3, usd, dai, 50],
      [old, usd, dai],
      [ng, dai, gem, 60],
      [venues.daiGem, dai, gem],
    ]);
    expect(await run(world, route)).toMatchObject({ sold: route.sellAmount, bought: route.buyAmount });
    await expectClean();
    await world.restore();
    const straight = exactIn(world, usd, gem, 5_000n * UNIT, [
      [old, usd, dai],
      [venues.daiGem, dai, gem],
    ]);
    expect(await run(world, straight)).toMatchObject({ bought: straight.buyAmount });
    await expectClean();
  });

  it("make shares of one coin and pay one for them to the wei, old and NG, alone and behind one another", async () => {
    const { usd, dai, gem } = world;
    for (const amount of [3n * UNIT + 7n, 700n * UNIT]) {
      const routes = [
        exactIn(world, usd, oldShare, amount, [[old, usd, oldShare]]),
        exactIn(world, oldShare, gem, amount, [[old, oldShare, gem]]),
        exactIn(world, gem, ng, amount, [[ng, gem, ng]]),
        exactIn(world, ng, dai, amount, [[ng, ng, dai]]),
        exactIn(world, oldShare, ng, amount, [
          [old, oldShare, gem, 40],
          [old, oldShare, dai],
          [ng, gem, ng],
          [ng, dai, ng],
        ]),
      ];
      for (const route of routes) {
        expect(await run(world, route)).toMatchObject({ sold: amount, bought: route.buyAmount });
        await expectClean();
        await world.restore();
      }
    }
  });

  it("cannot be asked for an exact output", async () => {
    const { usd, dai, settlement, node, taker } = world;
    const route = exactIn(world, usd, dai, UNIT, [[old, usd, dai]]);
    const [fill] = route.fills as [Fill];
    const wrong: Route = { ...route, kind: "exactOut", fills: [fill] };
    const transaction = settlement.encode(wrong, termsFor(wrong), world.actionOf);
    expect(revertReason(await node.revertOf({ from: taker, ...transaction }))).toContain("InvalidPayload(");
  });

  it("that draw less than they sell for, or draw and pay nothing, get nothing", async () => {
    const { node, owner, taker, usd, dai, settlement } = world;
    const fake = await node.deploy(compiled("FakeExchange"));
    const fill: Fill = {
      ...{ poolId: fake, source: "Test", sellToken: usd, buyToken: dai, gas: 0n, share: SHARE_ONE },
      ...{ sellAmount: UNIT, buyAmount: UNIT },
    };
    const route: Route = {
      kind: "exactIn",
      sellToken: usd,
      buyToken: dai,
      sellAmount: UNIT,
      buyAmount: UNIT,
      fills: [fill],
    };
    const actions = [
      { action: "curve-pool", pool: fake, sell: 0, buy: 1 },
      { action: "erc4626-vault", vault: fake },
    ] as const;
    const reasonFor = async (action: (typeof actions)[number], to = dai) => {
      const planned = { ...route, buyToken: to, fills: [{ ...fill, buyToken: to }] };
      const { to: target, data } = settlement.encode(planned, termsFor(planned), () => action);
      return revertReason(await node.revertOf({ from: taker, to: target, data }));
    };
    const set = (drawn: bigint) => node.write(owner, fake, compiled("FakeExchange").abi, "set", usd, drawn);
    await set(UNIT - 1n);
    expect(await reasonFor(actions[0])).toMatch(/^PartialFill\(/);
    await set(UNIT + 1n);
    expect(await reasonFor(actions[0])).toBe("allowance too small");
    await set(UNIT);
    expect(await reasonFor(actions[0])).toMatch(/^InsufficientOutput\(/);
    await set(0n);
    expect(await reasonFor(actions[1], fake)).not.toBe("");
    // A vault that is neither sold nor bought is no vault.
    expect(await reasonFor(actions[1])).toBe("InvalidPayload()");
  });

  it("have no other functions, and no other numbers of coins, than those that the executor knows", async () => {
    const { node, taker, usd, dai } = world;
    const [gateway, executor] = world.settlement.contracts as readonly [Address, Address];
    const refusal = async (call: string, coins: string) => {
      const fill = `440001${"3b9aca00"}${call}00${coins}${old.slice(2)}` as const;
      const terms = { executor, sellToken: usd, buyToken: dai, maxSellAmount: UNIT };
      return revertReason(await node.revertOf({ from: taker, to: gateway, data: rawSwap(terms, `0x0000${fill}`) }));
    };
    for (const call of ["06", "07", "ff"]) expect(await refusal(call, "01")).toBe("InvalidPayload()");
    for (const coins of ["01", "05", "ff"]) expect(await refusal("03", coins)).toBe("InvalidPayload()");
    expect(await refusal("00", "00")).not.toBe("InvalidPayload()");
    // A pool of three coins refuses two by itself, and its reason is told.
    expect(await refusal("03", "02")).toBe("not of this kind");
  });

  it("are killed for everybody", async () => {
    const { node, owner, taker, usd, dai, settlement } = world;
    const route = exactIn(world, usd, dai, UNIT, [[old, usd, dai]]);
    const transaction = settlement.encode(route, termsFor(route), world.actionOf);
    await node.write(owner, old, compiled("DevnetStableswap").abi, "kill", true);
    expect(revertReason(await node.revertOf({ from: taker, ...transaction }))).toContain("not now");
  });
});

describe("vaults", () => {
  it("are entered and left to the wei, alone and behind pools", async () => {
    const { usd, dai, gem } = world;
    for (const amount of [1_000n, 3n * UNIT + 1n]) {
      const enter = exactIn(world, usd, shares, amount, [
        [old, usd, gem],
        [shares, gem, shares],
      ]);
      expect(await run(world, enter)).toMatchObject({ sold: amount, bought: enter.buyAmount });
      await expectClean();
      await world.restore();
      const leave = exactIn(world, shares, dai, amount, [
        [shares, shares, gem],
        [ng, gem, dai],
      ]);
      expect(await run(world, leave)).toMatchObject({ sold: amount, bought: leave.buyAmount });
      await expectClean();
      await world.restore();
    }
  });

  it("give exact outputs, in and out, by what their previews ask", async () => {
    const { gem, dai, venues } = world;
    for (const amount of [1n, 999n, 2n * UNIT + 1n]) {
      for (const route of [
        exactOut(world, gem, shares, amount, [[shares, gem, shares]]),
        exactOut(world, shares, gem, amount, [[shares, shares, gem]]),
        exactOut(world, dai, shares, amount, [
          [shares, gem, shares],
          [venues.daiGemV3, dai, gem],
        ]),
      ]) {
        const changes = { maxSellAmount: route.sellAmount * 2n };
        expect(await run(world, route, changes)).toMatchObject({ sold: route.sellAmount, bought: amount });
        await expectClean();
        await world.restore();
      }
    }
  });
});

describe("approvals", () => {
  it("that the executor gives cannot be turned on its caller: nobody can have it approve outside a swap", async () => {
    const { node, usd, other, taker } = world;
    const [, executor] = world.settlement.contracts as readonly [Address, Address];
    const data: Hex = encodeFunctionData({ abi: token.abi, functionName: "approve", args: [other, 1n] });
    expect(await node.revertOf({ from: taker, to: executor, data })).toBe("0x");
    expect(await node.read<bigint>(usd, token.abi, "allowance", executor, other)).toBe(0n);
  });
});

it("gas is within 12 % of the model", async () => {
  const { usd, dai, gem } = world;
  for (const build of [
    () => exactIn(world, usd, dai, 1_000n * UNIT, [[old, usd, dai]]),
    () => exactIn(world, dai, gem, 1_000n * UNIT, [[ng, dai, gem]]),
    () => exactIn(world, usd, oldShare, 1_000n * UNIT, [[old, usd, oldShare]]),
    () => exactIn(world, oldShare, gem, 500n * UNIT, [[old, oldShare, gem]]),
    () => exactIn(world, gem, ng, 1_000n * UNIT, [[ng, gem, ng]]),
    () => exactIn(world, ng, dai, 500n * UNIT, [[ng, ng, dai]]),
    () => exactIn(world, gem, shares, UNIT, [[shares, gem, shares]]),
  ]) {
    const route = build();
    const { gasUsed, terms } = await run(world, route);
    const model = world.settlement.gas(route, terms);
    expect(Math.abs(Number(model) / Number(gasUsed) - 1), `model ${model}, used ${gasUsed}`).toBeLessThan(0.12);
    await world.restore();
  }
});
