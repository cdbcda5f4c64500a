import { decodeFunctionResult, erc20Abi, type Hex, toFunctionSelector } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import type { Address } from "../../../src/domain/address.ts";
import { type ExactOutRoute, type Fill, fillsOf, type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { BUFFER_GAS, SHORT_BUFFER_GAS } from "../../../src/pools/balancer-v3-buffer/gas.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { type BrokenPlan, evaluatePlan, type PlannedFill } from "../../../src/routing/plan/execution.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import {
  type BalancerV3World,
  createV3Pool,
  deployBalancerV3,
  deskCall,
  plainV3Tokens,
  v3Swap,
} from "../../venues/worlds/balancer-v3.ts";
import { asAnvil } from "../chain/as-anvil.ts";

const MAX = (1n << 256n) - 1n;
const HALF = SHARE_ONE / 2n;
const HELD = 1_000n * UNIT;
const SMALL = 77n * UNIT + 1n;
const LARGE = 5_000n * UNIT + 7n;
const vaultAbi = compiled("DevnetVault").abi;

let world: World;
let v3: BalancerV3World;
let shares: Address;
let stable: Address;
/** The buffer, the ERC-4626 vault by itself, and a pair of its asset. */
let buffer: Pool;
let vault: Pool;
let pair: Pool;

beforeAll(async () => {
  world = await startWorld();
  const { node, owner, taker, usd, dai, give } = world;
  const anvil = asAnvil(world);
  v3 = await deployBalancerV3(anvil);
  shares = await node.deploy(compiled("DevnetVault"), usd, "Vault", "vUSD", 0);
  for (const token of [usd, dai]) await give(token, owner, 500_000n * UNIT);
  for (const token of [usd, shares]) await node.write(owner, token, erc20Abi, "approve", shares, MAX);
  for (const token of [usd, dai, shares]) await node.write(owner, token, erc20Abi, "approve", v3.desk, MAX);
  await node.write(owner, shares, vaultAbi, "deposit", 200_000n * UNIT, owner);
  await node.write(owner, usd, erc20Abi, "transfer", shares, 12_345n * UNIT + 89n);
  await node.send({
    from: owner,
    to: v3.desk,
    data: deskCall("fillBuffer", [v3.vault, shares, 3n * HELD, HELD]),
  });
  const tokens = plainV3Tokens([shares, dai]);
  stable = await createV3Pool(anvil, v3, { tokens, fee: 10n ** 14n, salt: 3, amplification: 200n });
  const amounts = [60_000n * UNIT, 40_000n * UNIT];
  const filling = deskCall("initialize", [v3.vault, stable, tokens.map(({ token }) => token), amounts]);
  await node.send({ from: owner, to: v3.desk, data: filling });
  await node.write(owner, shares, erc20Abi, "transfer", taker, 50_000n * UNIT);
  await node.write(taker, shares, erc20Abi, "approve", world.settlement.allowanceTarget, MAX);
  const { actionOf } = world;
  world = {
    ...world,
    actionOf(fill) {
      if (fill.poolId === buffer.id) return { action: "balancer-v3-buffer", vault: v3.vault, wrapped: shares };
      if (fill.poolId === shares) return { action: "erc4626-vault", vault: shares };
      if (fill.poolId === stable) return { action: "balancer-v3-pool", vault: v3.vault, pool: stable };
      return actionOf(fill);
    },
  };
  await world.keep();
  const read = <T>(name: string, ...args: readonly unknown[]) => node.read<T>(shares, vaultAbi, name, ...args);
  const totals = {
    totalAssets: await read<bigint>("totalAssets"),
    totalSupply: await read<bigint>("totalSupply"),
    ...{ virtualShares: 1n, maxDeposit: MAX },
  };
  vault = { id: shares, source: "Test", tokens: [usd, shares], curve: "vault", state: totals };
  const state = { ...totals, maxRedeem: MAX, assets: 3n * HELD, shares: HELD, minWrap: 10n ** 6n, paused: false };
  const id = `${v3.vault}${shares.slice(2)}`;
  buffer = { id, source: "Test", tokens: [usd, shares], curve: "balancer-v3-buffer", state };
  pair = await world.poolAt(world.venues.usdDai);
}, 180_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const use = (pool: Pool, sellToken: Address, share = SHARE_ONE): PlannedFill => {
  const sell = pool.tokens.indexOf(sellToken);
  return { pool, direction: { sell, buy: 1 - sell }, share };
};
const into = (pool: Pool, share = SHARE_ONE) => use(pool, world.usd, share);
const outOf = (pool: Pool, share = SHARE_ONE) => use(pool, shares, share);

function sold(sellToken: Address, buyToken: Address, sellAmount: bigint, ...plan: readonly PlannedFill[]) {
  return sound(evaluatePlan(plan, { kind: "exactIn", sellToken, buyToken, sellAmount }, 0n));
}

function bought(sellToken: Address, buyToken: Address, buyAmount: bigint, ...plan: readonly PlannedFill[]) {
  return sound(evaluatePlan(plan, { kind: "exactOut", sellToken, buyToken, buyAmount }, 0n));
}

function sound<R extends Route>(route: R | BrokenPlan): R {
  if ("broken" in route) throw new Error(`broken: ${route.broken[0]?.why?.rejected}`);
  return route;
}

/** `gas`: what the route's only fill is said to cost, which has to be near what it does. */
async function expectExact(route: Route, gas?: bigint): Promise<void> {
  const { terms, gasUsed, ...moved } = await run(world, route);
  expect(moved).toMatchObject({ sold: route.sellAmount, bought: route.buyAmount });
  expect(await leftBehind(world)).toBe(0n);
  for (const contract of world.settlement.contracts) expect(await world.balance(shares, contract)).toBe(0n);
  if (gas !== undefined) {
    expect(fillsOf(route).map((fill) => fill.gas)).toEqual([gas]);
    expect(Math.abs(Number(world.settlement.gas(route, terms)) / Number(gasUsed) - 1)).toBeLessThan(0.05);
  }
  await world.restore();
}

/** The four bytes that a revert's data begins with, without `0x`. */
const selectorOf = (error: string) => toFunctionSelector(error).slice(2);

describe("buffers of Balancer V3's", () => {
  it("are traded with to the wei, served and short, either way and by either amount", async () => {
    const { usd } = world;
    for (const [amount, gas] of [
      [SMALL, BUFFER_GAS],
      [LARGE, SHORT_BUFFER_GAS],
    ] as const) {
      await expectExact(sold(usd, shares, amount, into(buffer)), gas);
      await expectExact(sold(shares, usd, amount, outOf(buffer)), gas);
      await expectExact(bought(usd, shares, amount, into(buffer)), gas);
      await expectExact(bought(shares, usd, amount, outOf(buffer)), gas);
    }
  });

  it("stay exact when several steps use them, and where the ERC-4626 vault itself is used beside", async () => {
    const { usd } = world;
    for (const [first, second] of [
      [buffer, buffer],
      [vault, buffer],
      [buffer, vault],
    ] as const) {
      await expectExact(sold(usd, shares, 2n * LARGE + 1n, into(first, HALF), into(second)));
      await expectExact(sold(shares, usd, 2n * LARGE + 1n, outOf(first, HALF), outOf(second)));
    }
    const three = sold(usd, shares, 3n * LARGE, into(buffer, HALF), into(vault, HALF), into(buffer));
    await expectExact(three);
  });

  it("are traded behind and before others", async () => {
    const { usd, dai } = world;
    for (const amount of [SMALL, LARGE]) {
      await expectExact(sold(dai, shares, amount, use(pair, dai), into(buffer)));
      await expectExact(sold(shares, dai, amount, outOf(buffer), use(pair, usd)));
      await expectExact(bought(dai, shares, amount, into(buffer), use(pair, dai)));
      await expectExact(bought(shares, dai, amount, use(pair, usd), outOf(buffer)));
    }
  });

  it("make what a pool of the same vault takes, and take what it makes, under the same lock", async () => {
    const { usd, dai } = world;
    const asked = async (kind: Route["kind"], sellToken: Address, buyToken: Address, amount: bigint) => {
      const data = deskCall("quote", [v3.vault, v3Swap(stable, kind === "exactIn", sellToken, buyToken, amount)]);
      const answer = await world.node.rpc<Hex>("eth_call", { from: world.owner, to: v3.desk, data }, "latest");
      const abi = compiled("DevnetBalancerV3").abi;
      const other = decodeFunctionResult({ abi, functionName: "quote", data: answer }) as bigint;
      const [sellAmount, buyAmount] = kind === "exactIn" ? [amount, other] : [other, amount];
      const fill: Fill = {
        ...{ poolId: stable, source: "Test", sellToken, buyToken, sellAmount, buyAmount, gas: 0n, share: SHARE_ONE },
      };
      return fill;
    };
    for (const amount of [SMALL, LARGE]) {
      const outer = await asked("exactOut", shares, dai, amount);
      const [inner] = bought(usd, shares, outer.sellAmount, into(buffer)).fills;
      if (inner === undefined) throw new Error("no fill");
      const route: ExactOutRoute = {
        ...{ kind: "exactOut", sellToken: usd, buyToken: dai, sellAmount: inner.sellAmount, buyAmount: amount },
        fills: [outer, inner],
      };
      await expectExact(route);
      const [last] = bought(shares, usd, amount, outOf(buffer)).fills;
      if (last === undefined) throw new Error("no fill");
      const before = await asked("exactOut", dai, shares, last.sellAmount);
      await expectExact({
        ...{ kind: "exactOut", sellToken: dai, buyToken: usd, sellAmount: before.sellAmount, buyAmount: amount },
        fills: [last, before],
      });
      const first = sold(usd, shares, amount, into(buffer));
      const then = await asked("exactIn", shares, dai, first.buyAmount);
      await expectExact({ ...first, buyToken: dai, buyAmount: then.buyAmount, fills: [...first.fills, then] });
    }
  });

  it("are not in one purchase with their ERC-4626 vault, where what is made changes what was computed", () => {
    const { usd } = world;
    const both = [into(buffer, HALF), into(vault)];
    const order = { kind: "exactOut", sellToken: usd, buyToken: shares, buyAmount: LARGE } as const;
    expect(evaluatePlan(both, order, 0n)).toMatchObject({ broken: [{ use: both[1] }] });
  });

  it("refuse while they are paused, and less than the vault wraps", async () => {
    const { node, owner, taker, usd, settlement } = world;
    const reasonOf = async (amount: bigint) => {
      const route = { ...sold(usd, shares, SMALL, into(buffer)), sellAmount: amount };
      const fills = route.fills.map((fill) => ({ ...fill, sellAmount: amount }));
      const terms = termsFor({ ...route, fills }, { minBuyAmount: 1n });
      const { to, data } = settlement.encode({ ...route, fills }, terms, world.actionOf);
      return node.revertOf({ from: taker, to, data });
    };
    expect(await reasonOf(10n ** 6n - 1n)).toContain(selectorOf("WrapAmountTooSmall(address)"));
    const selector = toFunctionSelector("pauseVaultBuffers()");
    const action = await node.read<Hex>(v3.vault, bundled("BalancerV3VaultAdmin").abi, "getActionId", selector);
    await node.write(owner, v3.authorizer, bundled("BalancerAuthorizer").abi, "grantRole", action, owner);
    await node.send({ from: owner, to: v3.vault, data: selector });
    expect(await reasonOf(SMALL)).toContain(selectorOf("VaultBuffersArePaused()"));
  });
});
