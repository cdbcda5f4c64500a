import { encodeFunctionData, erc20Abi } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import { type ExactInRoute, type ExactOutRoute, type Fill, type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { executorArtifact } from "../../../src/settlement/artifacts.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { tradeToTheWei } from "../chain/to-the-wei.ts";
import { withV4 } from "../pools/v4.ts";

const double = compiled("VaultDouble");
const AMOUNT = 90n * UNIT + 1n;
/** Pools of the vault, which know of prices only: for a thousand sold they give so many. */
const [FAIR, FINE] = [toAddress(`0x${"a1".repeat(20)}`), toAddress(`0x${"a2".repeat(20)}`)];
const PRICES = new Map<Address, bigint>([
  [FAIR, 997n],
  [FINE, 1_003n],
]);

let world: World;
let v4: Awaited<ReturnType<typeof withV4>>;
let vault: Address;
/** An ERC-4626 vault of usd, of which the double has a buffer. */
let shares: Address;
beforeAll(async () => {
  v4 = await withV4(await startWorld());
  const { node, owner, usd, dai, gem, give } = v4.world;
  vault = await node.deploy(double);
  shares = await node.deploy(compiled("DevnetVault"), usd, "Vault", "vUSD", 0);
  await node.write(owner, vault, double.abi, "setPrice", shares, 997n);
  await give(usd, owner, 10_000n * UNIT);
  await node.write(owner, usd, erc20Abi, "approve", shares, 10_000n * UNIT);
  await node.write(owner, shares, compiled("DevnetVault").abi, "deposit", 10_000n * UNIT, vault);
  for (const [pool, price] of PRICES) await node.write(owner, vault, double.abi, "setPrice", pool, price);
  for (const token of [usd, dai, gem]) await give(token, vault, 10_000n * UNIT);
  for (const token of [usd, dai, gem, shares]) {
    await node.write(owner, vault, double.abi, "take", token);
  }
  const actionOf: World["actionOf"] = (fill) => {
    if (fill.poolId === shares) return { action: "balancer-v3-buffer", vault, wrapped: shares };
    return PRICES.has(fill.poolId as Address)
      ? { action: "balancer-v3-pool", vault, pool: fill.poolId as Address }
      : v4.world.actionOf(fill);
  };
  world = { ...v4.world, actionOf };
  await world.keep();
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

function sold(pool: Address, sellToken: Address, buyToken: Address, sellAmount: bigint): Fill {
  const buyAmount = (sellAmount * (PRICES.get(pool) ?? 997n)) / 1_000n;
  return { poolId: pool, source: "Test", sellToken, buyToken, sellAmount, buyAmount, gas: 0n, share: SHARE_ONE };
}

function bought(pool: Address, sellToken: Address, buyToken: Address, buyAmount: bigint): Fill {
  const price = PRICES.get(pool)!;
  const sellAmount = (buyAmount * 1_000n + price - 1n) / price;
  return { poolId: pool, source: "Test", sellToken, buyToken, sellAmount, buyAmount, gas: 0n, share: SHARE_ONE };
}

function inOrder(...fills: readonly Fill[]): ExactInRoute {
  const [first, last] = [fills[0]!, fills.at(-1)!];
  const ends = { sellToken: first.sellToken, buyToken: last.buyToken };
  return { kind: "exactIn", ...ends, sellAmount: first.sellAmount, buyAmount: last.buyAmount, fills };
}

function backToFront(...fills: readonly Fill[]): ExactOutRoute {
  const [last, first] = [fills[0]!, fills.at(-1)!];
  const ends = { sellToken: first.sellToken, buyToken: last.buyToken };
  return { kind: "exactOut", ...ends, sellAmount: first.sellAmount, buyAmount: last.buyAmount, fills };
}

describe("Balancer V3's vault, as its interface has it", () => {
  it("is paid under its lock, exact-in: alone, before, behind and between others", async () => {
    const { usd, dai, gem, venues } = world;
    const first = sold(FAIR, usd, dai, AMOUNT);
    await tradeToTheWei(world, inOrder(first));
    await tradeToTheWei(world, inOrder(first, sold(FINE, dai, gem, first.buyAmount)));
    const straight = exactIn(world, dai, gem, first.buyAmount, [[venues.daiGem, dai, gem]]) as ExactInRoute;
    await world.restore();
    await tradeToTheWei(world, inOrder(first, ...straight.fills));
    await world.restore();
    const before = exactIn(world, usd, dai, AMOUNT, [[venues.usdDaiV3, usd, dai]]) as ExactInRoute;
    await tradeToTheWei(world, inOrder(...before.fills, sold(FINE, dai, gem, before.buyAmount)));
  });

  it("makes an exact output, paid by what is made under the lock: pairs, V3, V4 and its own pools", async () => {
    const { usd, dai, gem, venues } = world;
    const last = bought(FAIR, dai, gem, AMOUNT);
    await tradeToTheWei(world, backToFront(bought(FINE, usd, dai, AMOUNT)));
    await tradeToTheWei(world, backToFront(last, bought(FINE, usd, dai, last.sellAmount)));
    for (const pool of [venues.usdDai, venues.usdDaiV3, v4.usdDai]) {
      await world.restore();
      const made = exactOut(world, usd, dai, last.sellAmount, [[pool as Address, usd, dai]]);
      await tradeToTheWei(world, backToFront(last, ...made.fills));
    }
    // The pool's output of one fill is sold to other pools, a pair and a V3 pool.
    await world.restore();
    const parts = exactOut(world, dai, gem, AMOUNT, [
      [venues.daiGemV3, dai, gem, 30],
      [venues.daiGem, dai, gem, 60],
      [venues.daiGem, dai, gem],
    ]).fills.slice(0, 2);
    const rest = bought(FAIR, dai, gem, AMOUNT - parts.reduce((sum, { buyAmount }) => sum + buyAmount, 0n));
    const takers = [...parts, rest];
    const maker = bought(
      FINE,
      usd,
      dai,
      takers.reduce((sum, { sellAmount }) => sum + sellAmount, 0n),
    );
    await tradeToTheWei(world, { ...backToFront(rest, maker), buyAmount: AMOUNT, fills: [...takers, maker] });
    // Under a V4 lock the vault's is opened, and under that the V4 lock is used again.
    await world.restore();
    const [outer] = exactOut(world, dai, gem, AMOUNT, [[v4.daiGem as Address, dai, gem]]).fills;
    const middle = bought(FAIR, usd, dai, outer!.sellAmount);
    const inner = exactOut(world, NATIVE_TOKEN, usd, middle.sellAmount, [[v4.nativeUsd as Address, NATIVE_TOKEN, usd]]);
    await tradeToTheWei(world, backToFront(outer!, middle, ...inner.fills));
  });
});

describe("forged vaults (incidents 9, 11, 33)", () => {
  const TRICKS = [
    ["None", /^$/],
    ["AskForTooMuch", /^ExcessivePayment\(/],
    ["AskTwice", /^UnexpectedCallback\(/],
    ["NeverAsk", /^CallbackMissing\(/],
    ["LetAnotherAsk", /^UnexpectedCallback\(/],
    ["ChangeTheData", /^UnexpectedCallback\(/],
    ["LieAboutOutput", /^InsufficientOutput\(/],
    ["TakeLess", /^PartialFill\(/],
    ["LieInTheAnswer", /^InsufficientOutput\(/],
  ] as const;

  async function reasonOf(trick: number, route: Route): Promise<string> {
    const { node, owner, taker, settlement } = world;
    await node.write(owner, vault, double.abi, "play", trick);
    const { to, data } = settlement.encode(route, termsFor(route, { minBuyAmount: 1n }), world.actionOf);
    return revertReason(await node.revertOf({ from: taker, to, data }));
  }

  TRICKS.forEach(([name, reason], trick) => {
    if (name === "None") return;
    it(`one that plays ${name} gets nothing`, async () => {
      expect(await reasonOf(trick, inOrder(sold(FAIR, world.usd, world.dai, AMOUNT)))).toMatch(reason);
      await world.restore();
      // Exact-out draws what it needs up to the seller's maximum, and asks the answer for nothing.
      const others: Partial<Record<string, RegExp>> = { AskForTooMuch: /^SellAmountExceeded\(/ };
      if (name === "TakeLess") return;
      expect(await reasonOf(trick, backToFront(bought(FAIR, world.usd, world.dai, AMOUNT)))).toMatch(
        others[name] ?? reason,
      );
    });
  });

  it("with a buffer gets nothing but its payment, and gives what it claims to who is paid first", async () => {
    const wrapping = inOrder(sold(shares, world.usd, shares, AMOUNT));
    await tradeToTheWei(world, wrapping);
    await world.restore();
    for (const [trick, [name, reason]] of TRICKS.entries()) {
      // Its claim to have taken tokens counts for nothing: it was paid before.
      if (["None", "AskForTooMuch", "TakeLess"].includes(name)) continue;
      expect(await reasonOf(trick, wrapping), name).toMatch(reason);
      await world.restore();
    }
  });

  it("one that gives less than an exact output is refused, with a pool and with a buffer", async () => {
    const { node, owner, usd, dai } = world;
    // At this price so little costs what the ERC-4626 vault's preview makes of it.
    await node.write(owner, vault, double.abi, "setPrice", shares, 999n);
    const wrapping: Fill = { ...bought(FAIR, usd, shares, 1_500n), poolId: shares, sellAmount: 1_502n };
    await tradeToTheWei(world, backToFront(wrapping));
    for (const fill of [bought(FAIR, usd, dai, AMOUNT), wrapping]) {
      expect(await reasonOf(TRICKS.length, backToFront(fill))).toMatch(/^PartialFill\(/);
    }
  });

  it("an output that was claimed and not paid makes the next payment fail", async () => {
    const { usd, dai, gem, venues } = world;
    const first = sold(FAIR, usd, dai, AMOUNT);
    const next = exactIn(world, dai, gem, first.buyAmount, [[venues.daiGemV3, dai, gem]]) as ExactInRoute;
    for (const trick of ["LieAboutOutput", "LieInTheAnswer"]) {
      const index = TRICKS.findIndex(([name]) => name === trick);
      expect(await reasonOf(index, inOrder(first, ...next.fills))).toBe("balance too small");
    }
  });

  it("a callback from a vault at rest is refused", async () => {
    const [, executor] = world.settlement.contracts as readonly [Address, Address];
    const data = encodeFunctionData({
      abi: executorArtifact.abi,
      functionName: "unlockCallback",
      args: [`0x${"00".repeat(416)}`],
    });
    await world.node.rpc("anvil_impersonateAccount", vault);
    const reason = revertReason(await world.node.revertOf({ from: vault, to: executor, data }));
    expect(reason).toContain("UnexpectedCallback(");
  });
});
