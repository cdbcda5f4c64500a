import { numberToHex } from "viem";
import { expect, it } from "vitest";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import { type ExactInRoute, SHARE_ONE } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { SourceCatalog } from "../../../src/quoting/answer/route-view.ts";
import { withExactQuotes } from "../../../src/quoting/quote/exact-quotes.ts";
import { evaluatePlan } from "../../../src/routing/plan/execution.ts";
import { propAmm } from "../../../src/venues/prop-amm/source.ts";

const UNIT = 10n ** 6n;
const [A, B, C] = [1, 2, 3].map((index) => toAddress(numberToHex(index, { size: 20 }))) as [Address, Address, Address];
const VENUES = [11, 12].map((index) => toAddress(numberToHex(index, { size: 20 })));
const hash = numberToHex(1, { size: 32 });
const block = { number: 1n, hash, parentHash: hash, timestamp: 1n };

/** Two contracts, A for B and B for C, that were read as one for one, the first up to 1,000 units and the second up to 500. */
function market(taken: readonly [bigint, bigint]) {
  const [first, second] = (
    [
      [A, B],
      [B, C],
    ] as const
  ).map((tokens, index): Pool => {
    const levels = [{ takerAmount: taken[index]!, makerAmount: taken[index]! }];
    const state = { bids: levels, asks: [], swapGas: 1n };
    return { id: VENUES[index]!, source: `Venue ${index}`, tokens, curve: "sampled-ladder", state };
  }) as [Pool, Pool];
  const pools = new Map([first, second].map((pool) => [pool.id, pool]));
  const sources: SourceCatalog = new Map(
    VENUES.map((venue, index) => {
      const terms = { protocol: "prop-amm", fromBlock: 0n, payment: "sent", pairs: [] } as const;
      return [`Venue ${index}`, propAmm({ ...terms, source: `Venue ${index}`, venue })];
    }),
  );
  const plan = [first, second].map((pool) => ({ pool, direction: { sell: 0, buy: 1 }, share: SHARE_ONE }));
  const order = { kind: "exactIn", sellToken: A, buyToken: C, sellAmount: 500n * UNIT } as const;
  const route = evaluatePlan(plan, order, 1n) as ExactInRoute;
  expect(route.buyAmount).toBe(500n * UNIT);
  /** Asks the route's contracts, each with its own answer. */
  const ask = (paid: (venue: number, amount: bigint) => bigint) =>
    withExactQuotes(route, {
      reader: {
        calls: async (calls) =>
          calls.map(({ to, data }) =>
            numberToHex(paid(VENUES.indexOf(to), BigInt(`0x${data.slice(-64)}`)), { size: 32 }),
          ),
      },
      snapshot: { graph: { pool: (id: string) => pools.get(id) } as never, block },
      sources,
    });
  return { ask, route, first, second };
}

it("a pool that is to take more than it can, since the one ahead of it pays more, is left out and not accused", async () => {
  const { ask, second } = market([1_000n * UNIT, 500n * UNIT]);
  expect(await ask((venue, amount) => (venue === 0 ? amount + 1n : amount))).toEqual({
    ...{ unfit: [second.id], contradicted: [] },
  });
});

it("a pool whose contract pays less than was read of it is accused, and it alone", async () => {
  const { ask, first, second } = market([1_000n * UNIT, 1_000n * UNIT]);
  for (const [venue, pool] of [first, second].entries())
    expect(await ask((asked, amount) => (asked === venue ? amount / 2n : amount))).toEqual({
      ...{ unfit: [pool.id], contradicted: [pool.id] },
    });
});

it("what one pays more is asked of the one behind it", async () => {
  const { ask } = market([1_000n * UNIT, 1_000n * UNIT]);
  expect(await ask((_, amount) => amount + 7n)).toMatchObject({
    route: { buyAmount: 500n * UNIT + 14n, fills: [{ buyAmount: 500n * UNIT + 7n }, { sellAmount: 500n * UNIT + 7n }] },
  });
});
