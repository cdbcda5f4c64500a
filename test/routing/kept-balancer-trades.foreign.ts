import { expect, test } from "vitest";
import { balancerUniverse } from "../../fixtures/universes/priced.ts";
import { type Kept, paidBy } from "../support/trades/kept-trade.ts";

/**
 * Trades over Balancer's pools that once paid less or were refused, with what they need, and what a single path or a fill by 1,000
 * chunks, or an answer of ours, was seen to pay after gas.
 */
const OVER_BALANCER: readonly Kept[] = [
  [
    "a path twice through a pool",
    100351115124062n,
    "0xb6ca7399b4f9ca56fc27cbff44f4d2e4eef1fc81",
    "0xb705268213d593b8fd88d3fdeff93aff5cbdcfae",
    0n,
    89010064963688050n,
  ],
  [
    "pairs of one pool that move each other",
    5472440060461637632n,
    "0xfb5453340c03db5ade474b27e68b6a9c6b2823eb",
    "0x43d4a3cd90ddd2f8f4f693170c9c8098163502ad",
    0n,
    541201940568387498020n,
  ],
  [
    "less room after the uses before",
    139644998028n,
    "0xdac17f958d2ee523a2206206994597c13d831ec7",
    "0x68037790a0229e9ce6eaa8a99ea92964106c4703",
    50000000000n,
    110806410098219674870447n,
  ],
  [
    "a short way beside one that pays more",
    25641758162445160448n,
    "0xf629cbd94d3791c9250152bd8dfbdf380e2a3b9c",
    "0x6b175474e89094c44da98b954eedeac495271d0f",
    0n,
    35777083958162645828n,
  ],
  [
    "a way that others hide",
    16250631684n,
    "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    "0x5a98fcbea516cf06857215779fd812ca3bef1b32",
    0n,
    5205338537185125420440n,
  ],
  [
    "all of it to be sold where chunks find no path any more",
    582541639947000448n,
    "0x0cec1a9154ff802e7934fc916ed7ca50bde6844e",
    "0xc00e94cb662c3520282e6f5717214004a7f26888",
    0n,
    105706910368129756n,
  ],
  [
    "a path that takes all of it where another pays more for a part",
    14117n,
    "0x87d73e916d7057945c9bcd8cdd94e42a6f47f776",
    "0x8987a07ba83607a66c7351266e771fb865c9ca6c",
    0n,
    1019640n,
  ],
  [
    "tokens in the order that chunks have them in",
    2771297859473046503424n,
    "0xc011a73ee8576fb46f5e1c5751ca3b9fe0af2a6f",
    "0xfe18be6b3bd88a2d2a7f928d00292e7a9963cfc6",
    0n,
    354405653916030183n,
  ],
];

test.each(OVER_BALANCER)("a trade that needs %s pays what it should", (...kept) => {
  const balancer = balancerUniverse();
  if (balancer === undefined) throw new Error("the folder has no pools of Balancer");
  expect(paidBy(balancer, kept)).toBeGreaterThanOrEqual(kept[5]);
});
