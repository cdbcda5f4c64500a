import { expect, test } from "vitest";
import type { Goal } from "../../src/routing/flow/goal.ts";
import { settle } from "../../src/routing/flow/settled.ts";
import { uncrowd } from "../../src/routing/search/prune.ts";
import { edgesOf, sessionOf } from "../support/session.ts";
import { addressOf, pairOf } from "../support/universe.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];

test("of too many pools a sale keeps the deep one that earns next to nothing and carries what the others need", () => {
  const pools = [
    pairOf(1, [A, C], [10n ** 28n, 10n ** 28n]),
    // Next to nothing at a better price: it earns more than the deep one.
    pairOf(2, [A, C], [10n ** 18n, 101n * 10n ** 16n]),
    pairOf(3, [C, B], [10n ** 20n, 10n ** 20n]),
    pairOf(4, [C, B], [10n ** 20n, 10n ** 20n]),
    pairOf(5, [C, B], [10n ** 20n, 10n ** 20n]),
  ];
  const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 10n ** 20n } as const;
  const session = sessionOf(order, pools);
  const flow = settle(session, edgesOf(session), { kind: "sell", amount: 1e20 }, new Map());
  if (flow === undefined) throw new Error("no flow");
  const goal: Goal = { kind: "sell", amount: 1e20, costPerGas: 0, maxFills: 4 };
  const kept = uncrowd(session, goal, flow).support.edges.map(({ pool }) => pool.id);
  expect(kept.sort()).toEqual([1, 3, 4, 5].map((n) => addressOf(n, "pool")));
});
