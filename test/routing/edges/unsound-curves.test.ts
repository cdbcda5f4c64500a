import { expect, it } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../../fixtures/routing/request.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { createRouter } from "../../../src/routing/create-router.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
const E18 = 10n ** 18n;
const SOUND = [
  pairOf(1, [A, B], [10n ** 24n, 10n ** 24n]),
  pairOf(2, [A, C], [10n ** 24n, 10n ** 24n]),
  pairOf(3, [C, B], [10n ** 24n, 10n ** 24n]),
];

/** A pool whose state nobody has checked: parameters of an ellipse that do not fit each other have no slope in floats. */
const UNSOUND: Pool = {
  ...{ id: "0xunsound", source: "Balancer_V2", tokens: [A, B], curve: "gyro" },
  state: {
    ...{ kind: "eclp", scales: [1n, 1n], rates: [E18, E18], rated: [false, false], swapFee: 10n ** 15n, paused: false },
    balances: [68092640790000000000000n, 68092640790000000000000n],
    parameters: [
      707106781186547524n,
      707106781186547524n,
      8824118588000000000000n,
      -99999994220772323110660574517338583479n,
      33997727894351930408574164954549195n,
      99999994220772323110660574517338583479n,
      33997727894351930408574164954549196n,
      99999994220772322997284674411696475176n,
      33997727894351930370028932711243998n,
      0n,
      100000000000000000000000000000000000000n,
      99999999999999999886624093342106115200n,
    ],
  },
};

const amount = 1_000n * E18;
const ORDERS: readonly SwapOrder[] = [
  { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: amount },
  { kind: "exactOut", sellToken: A, buyToken: B, buyAmount: amount },
];

it.each(ORDERS)("a pool whose floats come to nothing ends no search: $kind", (order) => {
  const search = (pools: readonly Pool[]) =>
    createRouter().findBest({ order, graph: graphOf(pools), allows: () => true, cost: FREE, budget: budgetOf() });
  const without = search(SOUND);
  const found = search([...SOUND, UNSOUND]);
  expect(without.found).toBe(true);
  expect(found).toEqual(without);
});
