import { expect, it, test } from "vitest";
import { USUAL_FEE } from "../../bench/peers/contestants.ts";
import { fantomUniverse } from "../../bench/peers/universe.ts";
import { openBps } from "../../bench/routing/figures.ts";
import { toAddress } from "../../src/domain/address.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import { type FillTree, SHARE_ONE } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { mostProven } from "../../src/routing/bound/certificate.ts";
import { relax } from "../../src/routing/bound/relax.ts";
import { purchaseProof } from "../../src/routing/charge/purchase-proof.ts";
import { treeProof } from "../../src/routing/charge/tree-proof.ts";
import type { Goal } from "../../src/routing/flow/goal.ts";
import { startingFlow } from "../../src/routing/paths/starting-flow.ts";
import { evaluateExactOut } from "../../src/routing/plan/evaluate-exact-out.ts";
import type { PlannedTree } from "../../src/routing/plan/execution.ts";
import { directionOf } from "../../src/routing/plan/plan.ts";
import { answerTo } from "../support/answer.ts";
import { sessionOf } from "../support/session.ts";
import { expectTighter, type Proofs } from "../support/tighter-proofs.ts";
import { addressOf, concentratedOf, graphOf, pairOf, randomOf } from "../support/universe.ts";

const COUNT = process.env.TRIBUTARY_LONG === "1" ? 1_000 : 60;
const TRIED = 200;
const [A, B, C, D] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];

type Purchase = Extract<SwapOrder, { kind: "exactOut" }>;

/** A purchase of D with A over few pools into B, which many others take, some of them concentrated; fees are up to a fifth. */
function purchaseIn(seed: number): { readonly pools: readonly Pool[]; readonly order: Purchase } {
  const random = randomOf(seed);
  const held = () => BigInt(Math.round(10 ** (20 + 2 * random())));
  const fee = () => BigInt(Math.round(10 ** (2.3 * random())));
  const pools: Pool[] = [];
  const add = (count: number, sell: typeof A, buy: typeof A) => {
    for (let i = 0; i < count; i++) {
      const [depth, number] = [held(), pools.length + 1];
      const isPair = sell === A || random() < 0.7;
      const width = 1 + Math.floor(20 * random());
      pools.push(
        isPair
          ? pairOf(number, [sell, buy], [depth, depth], fee())
          : concentratedOf(number, [sell, buy], 0, depth, { width }),
      );
    }
  };
  add(1 + Math.floor(2 * random()), A, B);
  add(1 + Math.floor(4 * random()), B, D);
  add(1 + Math.floor(3 * random()), B, C);
  add(1 + Math.floor(2 * random()), C, D);
  const buyAmount = BigInt(Math.round(10 ** (18.5 + 2 * random())));
  return { pools, order: { kind: "exactOut", sellToken: A, buyToken: D, buyAmount } };
}

/** A route as a plan, its shares moved by up to `far`, as parts, at random. */
function moved(legs: readonly FillTree[], pools: readonly Pool[], far: number, random: () => number): PlannedTree[] {
  return legs.map(({ poolId, sellToken, buyToken, share, inputs }) => {
    const pool = pools.find(({ id }) => id === poolId) as Pool;
    const next = BigInt(Math.round(Number(share) * (1 + far * (2 * random() - 1))));
    const isLast = share === SHARE_ONE;
    return {
      pool,
      direction: directionOf(pool, sellToken, buyToken),
      share: isLast || next >= SHARE_ONE ? share : next,
      inputs: moved(inputs, pools, far, random),
    };
  });
}

/** What the best route found takes, and what is proven without and with kept fees. */
function proofsOf(seed: number): Proofs | undefined {
  const { pools, order } = purchaseIn(seed);
  const result = answerTo(order, pools);
  if (!result.found || result.route.kind !== "exactOut") return undefined;
  let { legs, sellAmount } = result.route;
  const random = randomOf(seed + COUNT);
  for (let tried = 0; tried < TRIED; tried++) {
    const plan = moved(legs, pools, 10 ** (-3 * random()), random);
    const other = evaluateExactOut(plan, order, graphOf(pools).time);
    if (!("broken" in other) && other.sellAmount < sellAmount) ({ legs, sellAmount } = other);
  }
  const amount = Number(order.buyAmount);
  const goal: Goal = { kind: "buy", amount, costPerGas: 0, maxFills: 128 };
  const session = sessionOf(order, pools);
  const first = startingFlow(session, goal);
  if (first === undefined) return undefined;
  const least = Number(sellAmount);
  const { measured, logPrices } = relax(session, first.logPrices, least);
  const before = mostProven(treeProof(session, measured), goal);
  const proven = mostProven(purchaseProof(session, logPrices, least, amount), goal);
  return { seed, best: -least, before, proven };
}

/** What is left open above the answer to a purchase, in basis points. */
function openOf(order: Purchase, pools: readonly Pool[]): number {
  const result = answerTo(order, pools);
  if (!result.found || result.certificate === undefined) throw new Error("no route");
  expect(result.certificate.bound).toBeLessThanOrEqual(result.certificate.achieved);
  return openBps(result.certificate);
}

it("pools that keep their fees and serve many prove more, and no less than the best purchase found takes", () => {
  expectTighter(COUNT, 0.3, proofsOf);
});

it("a pool behind which one serves many loses in as many parts", () => {
  const [held, deep] = [10n ** 21n, 10n ** 24n];
  const pools = [
    pairOf(1, [A, B], [held, held], 30n),
    pairOf(2, [B, C], [deep, deep], 30n),
    ...[3, 4, 5, 6].map((n) => pairOf(n, [C, D], [4n * held, 4n * held], 30n)),
  ];
  const order = { kind: "exactOut", sellToken: A, buyToken: D, buyAmount: 4n * 10n ** 20n } as const;
  // As if the one pool could be touched for all of them at once it is 68 bp.
  expect(openOf(order, pools)).toBeLessThan(20);
});

const inLine = fantomUniverse(USUAL_FEE, true);

test.skipIf(inLine === undefined)("what large parts cost those that take them is counted once for all of them", () => {
  const order = {
    kind: "exactOut",
    sellToken: toAddress("0x3038bac0775f31c413c87446b0d34a2d20b3ad17"),
    buyToken: toAddress("0xe1c110e1b1b4a1ded0caf3e42bfbdbb7b5d7ce1c"),
    buyAmount: 1_731_850_993_924_425_984n,
  } as const;
  // Where each of them takes what it can without losing more than is open, 7.3 bp are.
  expect(openOf(order, inLine?.pools ?? [])).toBeLessThan(5);
});
