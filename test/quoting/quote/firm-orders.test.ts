import { expect, it } from "vitest";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import { type ExactOutRoute, SHARE_ONE } from "../../../src/domain/route.ts";
import { ALL_ON } from "../../../src/domain/switches.ts";
import { withLevels } from "../../../src/market/indicative.ts";
import { createPoolStore } from "../../../src/market/pool-store.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { FRACTION_ONE, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import type { FirmOrderRequest, MakerDesk } from "../../../src/quoting/maker-ports.ts";
import { withFirmOrders } from "../../../src/quoting/quote/firm-orders.ts";
import { ALL_PLAIN, searchTested } from "../../../src/quoting/quote/tested-tokens.ts";
import type { SearchSetting } from "../../../src/quoting/search/route-query.ts";

const [SOLD, MIDDLE, BOUGHT] = [addressOf(1, "token"), addressOf(2, "token"), addressOf(3, "token")] as const;
const token = (address: typeof SOLD) => ({ address, symbol: "T", name: "T", decimals: 18 });
const PERCENT = FRACTION_ONE / 100n;

const LEVELS: Pool = {
  ...{ id: "maker:desk", source: "Desk", tokens: [SOLD, MIDDLE], curve: "levels" },
  state: { bids: [{ takerAmount: 10n ** 20n, makerAmount: 10n ** 20n }], asks: [] },
};
const amounts = { gas: 1n, share: SHARE_ONE };
/** From the maker into a pool of the chain. */
const ROUTE: ExactOutRoute = {
  ...{ kind: "exactOut", sellToken: SOLD, buyToken: BOUGHT, sellAmount: 10n ** 18n, buyAmount: 10n ** 18n },
  fills: [
    { ...amounts, poolId: LEVELS.id, source: "Desk", sellToken: SOLD, buyToken: MIDDLE, ...same(10n ** 18n) },
    { ...amounts, poolId: "chain", source: "Other", sellToken: MIDDLE, buyToken: BOUGHT, ...same(10n ** 18n) },
  ],
};

function same(amount: bigint) {
  return { sellAmount: amount, buyAmount: amount };
}

/** Requests to makers for one exact-out trade, to which none answers, and the setting of the quote after that. */
async function askFor(
  terms: Pick<SwapRequest, "slippage" | "slippageIsAuto">,
  { route = ROUTE, quoters = [] }: { readonly route?: ExactOutRoute; readonly quoters?: readonly string[] } = {},
) {
  const block = { number: 5n, hash: "0x05", parentHash: "0x04", timestamp: 1_000n } as const;
  const bare = { block, graph: createPoolStore().freeze(block.timestamp) } as unknown as Snapshot;
  let searches = 0;
  const setting = {
    ...{ snapshot: withLevels(bare, [LEVELS]), sources: new Map(), verdicts: ALL_PLAIN, off: ALL_ON, gasPrice: 1n },
    ...{ budget: { maxHops: 4, maxFills: 16, maxSteps: 1_000 }, settlement: {}, recordRoute: () => {} },
    search: {
      findBest: async () => {
        searches += 1;
        return { found: true, route };
      },
      isOver: () => false,
    },
  } as unknown as SearchSetting;
  let asked: readonly FirmOrderRequest[] = [];
  const makers: MakerDesk = {
    quotersOf: () => quoters,
    settled: () => {},
    firmOrders: async (asks) => {
      asked = asks;
      return [];
    },
  };
  const request: SwapRequest = {
    ...{ sellToken: token(SOLD), buyToken: token(BOUGHT), taker: addressOf(7), skipValidation: true },
    ...{ amount: { kind: "exactOut", buyAmount: 10n ** 18n }, sources: { kind: "all" }, ...terms },
  };
  const context = { requestId: "firm", signal: new AbortController().signal };
  const options = { makers, wrappedNative: addressOf(9, "token"), from: 1_000n };
  const after = await withFirmOrders(request, context, setting, options);
  const next = await searchTested(request, after, new Set());
  return { asked, searches, route: next.found ? next.route : undefined };
}

it("a maker before pools is asked for as much more as the transaction may draw, by whatever slippage", async () => {
  const drawn = async (terms: Parameters<typeof askFor>[0]) => (await askFor(terms)).asked.map(({ amount }) => amount);
  const order = (makerAmount: bigint) => [{ kind: "exactOut", makerAmount }];
  expect(await drawn({ slippage: PERCENT })).toEqual(order(101n * 10n ** 16n));
  // The route's own slippage is not known before its orders are: 5 % at most, or the default where nothing is known.
  expect(await drawn({ slippage: PERCENT, slippageIsAuto: true })).toEqual(order(105n * 10n ** 16n));
  expect(await drawn({ slippage: 7n * PERCENT, slippageIsAuto: true })).toEqual(order(107n * 10n ** 16n));
});

it("a route without makers is searched once, also where one was asked and gave no order", async () => {
  const [into, out] = ROUTE.fills;
  const route: ExactOutRoute = { ...ROUTE, fills: [{ ...into!, poolId: "chain too", source: "Other" }, out!] };
  for (const quoters of [[], ["Desk"]]) {
    const { asked, ...found } = await askFor({ slippage: PERCENT }, { route, quoters });
    expect(asked).toHaveLength(quoters.length);
    expect(found).toEqual({ searches: 1, route });
  }
  // Levels that nobody signed for are no route.
  expect((await askFor({ slippage: PERCENT })).searches).toBe(2);
});
