import type { VenueAbout } from "../venue.ts";

/** Market makers, which are no venues of a chain, by their kind in the API. */
export const makerAbouts: { readonly [K in "maker" | "rfq"]: VenueAbout } = {
  maker: {
    pools: "price levels, piecewise linear, and firm orders for them",
    rereads: "levels come as the maker sends them",
    contracts: ["OrderSettlement"],
    truth:
      "our own contract, each level an order of its own; another team's vectors of order books (18 of 18 that are levels)",
    tests: [
      "test/pools/signed-order/exactness.test.ts",
      "test/pools/levels/vectors.foreign.ts",
      "test/makers/random-quotes.test.ts",
    ],
  },
  rfq: {
    pools: "firm orders, once or in part",
    rereads: "asked for with the quote",
    contracts: ["OrderSettlement"],
    truth: "our own contract",
    tests: [
      "test/pools/signed-order/exactness.test.ts",
      "test/settlement/venues/maker-orders.test.ts",
      "test/makers/random-quotes.test.ts",
    ],
  },
};
