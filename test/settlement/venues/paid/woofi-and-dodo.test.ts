import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { exactIn, exactInOver } from "../../../../fixtures/settlement/routes.ts";
import { termsFor } from "../../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../../src/domain/address.ts";
import type { ExactInRoute } from "../../../../src/domain/route.ts";
import { revertReason } from "../../../support/worlds/revert-reason.ts";
import { startWorld } from "../../../support/worlds/settlement-world.ts";
import { tradeBesideDust, tradeEachToTheWei } from "../../chain/to-the-wei.ts";
import { withPaidPools } from "../../pools/paid/paid-pools.ts";

/** Gas of the two Chainlink feeds that the real oracle asks for each base token, and of the proxies before them: an estimate. */
const FEEDS = 30_000;
/** Gas of the clone and of the fee model that a real pool of DODO asks: an estimate. */
const FEE_MODEL = 15_000;

let world: World;
let [woofi, machine, stable]: Address[] = [];
beforeAll(async () => {
  ({ world, woofi, machine, stable } = await withPaidPools(await startWorld()));
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** Routes over each pool: alone in every direction, behind another pool and before one. */
function routes(): readonly ExactInRoute[] {
  const { usd, dai, gem } = world;
  const amount = 100n * UNIT + 7n;
  const alone = [woofi!, machine!, stable!].flatMap((pool) => exactInOver(world, pool, amount));
  return [
    ...alone,
    exactIn(world, dai, gem, amount, [[woofi!, dai, gem]]),
    exactIn(world, usd, dai, amount, [
      [woofi!, usd, dai, 30],
      [machine!, usd, dai, 50],
      [stable!, usd, dai],
    ]),
  ];
}

it("pools that are paid first pay to the wei, alone and among others", () => tradeEachToTheWei(world, routes()));

it("what lies in the executor is not counted as paid", () => tradeBesideDust(world, routes()));

/** Gas of a transaction that sells 100 to one pool. */
async function gasOver(
  pool: Address,
  sell: Address,
  buy: Address,
): Promise<{ readonly used: number; readonly model: number }> {
  const route = exactIn(world, sell, buy, 100n * UNIT, [[pool, sell, buy]]);
  const { to, data } = world.settlement.encode(route, termsFor(route), world.actionOf);
  const used = Number(await world.node.rpc<string>("eth_estimateGas", { from: world.taker, to, data }));
  return { used, model: Number(route.fills[0]!.gas) };
}

it("gas of a use is what the model says, beside what another pool takes", async () => {
  const { usd, dai, gem, venues } = world;
  const other = await gasOver(venues.usdDaiV3, usd, dai);
  for (const [pool, sell, buy, more] of [
    [woofi!, usd, dai, FEEDS],
    [woofi!, dai, gem, 2 * FEEDS],
    [machine!, usd, dai, FEE_MODEL],
    [stable!, dai, usd, FEE_MODEL],
  ] as const) {
    const { used, model } = await gasOver(pool, sell, buy);
    const measured = used - other.used + other.model + more;
    expect(Math.abs(model / measured - 1), `${model} for ${measured}`).toBeLessThan(0.15);
  }
});

it("a pool of WOOFi whose price has turned stale makes no swap, and says so", async () => {
  const { node, owner, usd, dai } = world;
  const route = exactIn(world, usd, dai, UNIT, [[woofi!, usd, dai]]);
  const oracle = await node.read<Address>(woofi!, compiled("DevnetWooPool").abi, "wooracle");
  await node.write(owner, oracle, compiled("DevnetWooOracle").abi, "set", woofi!, 1n, 10n ** 16n);
  const { to, data, value } = world.settlement.encode(route, termsFor(route), world.actionOf);
  expect(revertReason(await node.revertOf({ from: world.taker, to, data, value }))).toBe("WooPPV2: !ORACLE_FEASIBLE");
});

it("a pool of DODO that is asked to sell the other token makes no swap", async () => {
  const { usd, dai, node, taker } = world;
  for (const pool of [machine!, stable!]) {
    const route = exactIn(world, usd, dai, UNIT, [[pool, usd, dai]]);
    const wrong = { action: "dodo-pool", pool, baseToken: dai } as const;
    const { to, data, value } = world.settlement.encode(route, termsFor(route), () => wrong);
    expect(revertReason(await node.revertOf({ from: taker, to, data, value }))).toMatch(
      /^InsufficientOutput\(\d+, 0\)$/,
    );
  }
});
