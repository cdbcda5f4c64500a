import { decodeFunctionResult, erc20Abi, type Hex } from "viem";
import { afterAll, afterEach, beforeAll, describe, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import { type ExactInRoute, type ExactOutRoute, type Fill, SHARE_ONE } from "../../../src/domain/route.ts";
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
import { tradeToTheWei } from "../chain/to-the-wei.ts";

const AMOUNT = 77n * UNIT + 1n;

let world: World;
let v3: BalancerV3World;
let weighted: Address;
let stable: Address;
beforeAll(async () => {
  world = await startWorld();
  const { node, owner, usd, dai, gem, give } = world;
  const anvil = asAnvil(world);
  v3 = await deployBalancerV3(anvil);
  const ofWeighted = plainV3Tokens([dai, gem]);
  const ofStable = plainV3Tokens([usd, dai]);
  const weights = [6n * 10n ** 17n, 4n * 10n ** 17n];
  weighted = await createV3Pool(anvil, v3, { tokens: ofWeighted, fee: 3n * 10n ** 15n, salt: 1, weights });
  stable = await createV3Pool(anvil, v3, { tokens: ofStable, fee: 10n ** 14n, salt: 2, amplification: 200n });
  for (const token of [usd, dai, gem]) {
    await give(token, owner, 200_000n * UNIT);
    await node.write(owner, token, erc20Abi, "approve", v3.desk, 10n ** 30n);
  }
  for (const [pool, tokens] of [
    [weighted, ofWeighted],
    [stable, ofStable],
  ] as const) {
    const args = [v3.vault, pool, tokens.map(({ token }) => token), [60_000n * UNIT, 40_000n * UNIT]];
    await node.send({ from: owner, to: v3.desk, data: deskCall("initialize", args) });
  }
  const { actionOf } = world;
  world = {
    ...world,
    actionOf: (fill) =>
      fill.poolId === weighted || fill.poolId === stable
        ? { action: "balancer-v3-pool", vault: v3.vault, pool: fill.poolId as Address }
        : actionOf(fill),
  };
  await world.keep();
}, 180_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** A fill with the amount that the vault itself works out. */
async function fillOf(pool: Address, kind: "exactIn" | "exactOut", sell: Address, buy: Address, amount: bigint) {
  const { abi } = compiled("DevnetBalancerV3");
  const data = deskCall("quote", [v3.vault, v3Swap(pool, kind === "exactIn", sell, buy, amount)]);
  const answer = await world.node.rpc<Hex>("eth_call", { from: world.owner, to: v3.desk, data }, "latest");
  const other = decodeFunctionResult({ abi, functionName: "quote", data: answer }) as bigint;
  const [sellAmount, buyAmount] = kind === "exactIn" ? [amount, other] : [other, amount];
  const fill: Fill = {
    ...{ poolId: pool, source: "Test", sellToken: sell, buyToken: buy, sellAmount, buyAmount, gas: 0n },
    share: SHARE_ONE,
  };
  return fill;
}

async function expectExact(route: ExactInRoute | ExactOutRoute): Promise<void> {
  await tradeToTheWei(world, route);
  await world.restore();
}

describe("Balancer V3's own vault", () => {
  it("is traded with to the wei, exact-in: alone, behind others, and twice", async () => {
    const { usd, dai, gem, venues } = world;
    const first = await fillOf(stable, "exactIn", usd, dai, AMOUNT);
    const ends = { kind: "exactIn", sellToken: usd, sellAmount: AMOUNT } as const;
    await expectExact({ ...ends, buyToken: dai, buyAmount: first.buyAmount, fills: [first] });
    const second = await fillOf(weighted, "exactIn", dai, gem, first.buyAmount);
    await expectExact({ ...ends, buyToken: gem, buyAmount: second.buyAmount, fills: [first, second] });
    const pair = exactIn(world, usd, dai, AMOUNT, [[venues.usdDai, usd, dai]]);
    const behind = await fillOf(weighted, "exactIn", dai, gem, pair.buyAmount);
    await expectExact({ ...ends, buyToken: gem, buyAmount: behind.buyAmount, fills: [...pair.fills, behind] });
  });

  it("is traded with to the wei, exact-out: alone, paid by others, and by itself under the same lock", async () => {
    const { usd, dai, gem, venues } = world;
    const alone = await fillOf(stable, "exactOut", usd, dai, AMOUNT);
    const ends = { kind: "exactOut", sellToken: usd, buyAmount: AMOUNT } as const;
    await expectExact({ ...ends, buyToken: dai, sellAmount: alone.sellAmount, fills: [alone] });
    const last = await fillOf(weighted, "exactOut", dai, gem, AMOUNT);
    const inner = await fillOf(stable, "exactOut", usd, dai, last.sellAmount);
    await expectExact({ ...ends, buyToken: gem, sellAmount: inner.sellAmount, fills: [last, inner] });
    for (const pool of [venues.usdDai, venues.usdDaiV3]) {
      const made = exactOut(world, usd, dai, last.sellAmount, [[pool, usd, dai]]);
      await expectExact({ ...made, buyToken: gem, buyAmount: AMOUNT, fills: [last, ...made.fills] });
    }
  });
});
