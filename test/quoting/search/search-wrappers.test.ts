import { expect, test } from "vitest";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import type { SourceCatalog } from "../../../src/quoting/answer/route-view.ts";
import type { SwapRequest } from "../../../src/quoting/answer/types.ts";
import { isWanted } from "../../../src/quoting/search/route-query.ts";

const catalog: SourceCatalog = new Map([
  ["Wrapped_Native", { kind: "wrapper", wrapsNative: true } as LiquiditySource],
  ["ERC4626", { kind: "wrapper" } as LiquiditySource],
  ["Uniswap_V3", { kind: "amm" } as LiquiditySource],
]);

test("a request for some sources only keeps the native token's wrapper, and no other", () => {
  const request = { sources: { kind: "only", ids: ["Uniswap_V3"] } } as unknown as SwapRequest;
  expect([...catalog.keys()].filter((id) => isWanted(request, id, catalog))).toEqual(["Wrapped_Native", "Uniswap_V3"]);
});
