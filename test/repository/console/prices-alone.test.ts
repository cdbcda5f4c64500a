import { expect, it } from "vitest";
import { pricesAlone } from "../../../console/src/answer/prices-alone.ts";
import { type FailureKind, SwapCallError, type SwapClient, type SwapRequest } from "../../../src/client/index.ts";

const REQUEST: SwapRequest = { sellToken: "0x1", buyToken: "0x2", sellAmount: 1n };
const SOURCES = ["Fast", "Dry", "Busy"].map((name) => ({ name, kind: "amm", status: "live" }));

/** A service on whose chain `blockOf` says which block the n-th price is of. */
function serviceOf(blockOf: (asked: number) => number): SwapClient & { asked: number } {
  const refusal = (kind: FailureKind) => new SwapCallError({ message: "refused", kind });
  const service = {
    asked: 0,
    sources: async () => ({ sources: SOURCES }),
    async price({ includedSources }: SwapRequest) {
      const block = blockOf(service.asked++);
      if (includedSources?.[0] === "Dry") throw refusal("INSUFFICIENT_ASSET_LIQUIDITY");
      if (includedSources?.[0] === "Busy") throw refusal("TOO_MANY_REQUESTS");
      return { blockNumber: String(block), blockHash: `0x${block}` };
    },
  };
  return service as unknown as SwapClient & { asked: number };
}

it("sources that refuse have no route, those that were not reached no answer", async () => {
  const found = await pricesAlone(
    serviceOf(() => 7),
    REQUEST,
    new AbortController().signal,
  );
  expect(found?.best.blockNumber).toBe("7");
  expect(found?.alone.map(({ price }) => (typeof price === "string" ? price : price.blockNumber))).toEqual([
    "7",
    "no route",
    "no answer",
  ]);
});

it("prices of one block are waited for", async () => {
  const service = serviceOf((asked) => (asked < 4 ? asked : 9));
  const found = await pricesAlone(service, REQUEST, new AbortController().signal);
  expect(found?.best.blockNumber).toBe("9");
  expect(service.asked).toBe(8);
});

it("where blocks come faster than so many prices, those around a block are compared", async () => {
  const service = serviceOf((asked) => asked);
  const found = await pricesAlone(service, REQUEST, new AbortController().signal);
  expect(service.asked).toBe(16);
  expect(found?.best.blockNumber).toBe("12");
  expect(found?.alone[0]?.price).toMatchObject({ blockNumber: "13" });
});
