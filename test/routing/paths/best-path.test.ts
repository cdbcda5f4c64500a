import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { costAt } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { fillsOf } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { bestPath } from "../../../src/routing/paths/best-path.ts";
import { pathDirectionOf } from "../../../src/routing/paths/path-direction.ts";
import { allPaths } from "../../support/trades/exhaustive.ts";
import { searchOf } from "../../support/trades/search.ts";

const TOKENS = [1, 2, 3, 4, 5, 6].map((n) => addressOf(n));
const [A, B, C, D] = TOKENS as [Address, Address, Address, Address];
const E18 = 10n ** 18n;

/** Pairs of tokens of like value, of all depths, a third of them off it by any factor up to 10^9. */
function poolsOutOfLine(random: () => number): readonly Pool[] {
  return Array.from({ length: 16 }, (_, n) => {
    const first = Math.floor(5 * random());
    const second = first + 1 + Math.floor((5 - first) * random());
    const depth = 10 ** (12 + 12 * random());
    const off = random() < 1 / 3 ? 10 ** (18 * random() - 9) : 1;
    const reserves = [BigInt(Math.round(depth)), BigInt(Math.ceil(depth * off))] as const;
    return pairOf(n + 1, [TOKENS[first] as Address, TOKENS[second] as Address], reserves);
  });
}

/** Output of the best of all paths, in floats. */
function mostOf(pools: readonly Pool[], sellAmount: number): number {
  const paid = (path: ReturnType<typeof allPaths>[number]) =>
    path.reduce((amount, { pool, sell, buy }) => {
      if (pool.curve !== "constant-product") throw new Error("another curve");
      const [from, to] = [Number(pool.state.reserves[sell]), Number(pool.state.reserves[buy])];
      return (to * amount * 0.997) / (from + amount * 0.997);
    }, sellAmount);
  return Math.max(0, ...allPaths(pools, A, B, 4).map(paid));
}

describe("the best path", () => {
  it("is the best of all paths where pools stand off each other by any factor, but where a label stands in its own way", () => {
    let [paths, missed] = [0, 0];
    for (let seed = 0; seed < 400; seed++) {
      const random = randomOf(seed);
      const pools = poolsOutOfLine(random);
      const sellAmount = Math.round(10 ** (15 + 6 * random()));
      const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: BigInt(sellAmount) } as const;
      if (!pools.some(({ tokens }) => tokens[0] === A) || !pools.some(({ tokens }) => tokens.includes(B))) continue;
      const most = mostOf(pools, sellAmount);
      if (most === 0) continue;
      paths++;
      const search = searchOf(order, pools);
      const found =
        bestPath(search, pathDirectionOf(search, "exactIn"), sellAmount, 0, ({ curve }, sold) =>
          curve.buyAmountFor(sold),
        )?.amount ?? 0;
      if (found < (1 - 1e-6) * most) missed++;
    }
    expect(paths).toBeGreaterThan(200);
    expect(missed).toBeLessThan(0.02 * paths);
  });

  it.each([10n ** 3n, E18, 10_000n * E18])(
    "is found where a pool with liquidity of %s pays a million times too much",
    (liquidity) => {
      const fair = [pairOf(1, [B, C], [10n ** 24n, 10n ** 24n]), concentratedOf(2, [A, C], 0, 20_000n * E18)];
      const off = concentratedOf(3, [B, C], -138_162, liquidity);
      const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: E18 } as const;
      const [plain, more] = [answerTo(order, fair), answerTo(order, [...fair, off])];
      if (!plain.found || !more.found) throw new Error("no route");
      expect(more.route.buyAmount).toBeGreaterThanOrEqual(plain.route.buyAmount);
    },
  );
});

describe("the cheapest path", () => {
  it("counts the gas of a way whatever its tokens are worth at rest", () => {
    // At rest a base unit of B is worth 10^28 of A's, beside which the gas of a pool use is nothing.
    const line = [
      pairOf(1, [A, D], [10n ** 30n, 10n ** 22n]),
      pairOf(2, [C, D], [E18, 10n ** 26n]),
      pairOf(3, [B, C], [E18, 10n ** 30n]),
    ];
    const [direct, thin] = [pairOf(4, [A, B], [100n * E18, 100n * E18]), pairOf(5, [A, C], [10n, E18])];
    const order = { kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 1000n } as const;
    const search = searchOf(order, [...line, direct, thin]);
    const path = bestPath(search, pathDirectionOf(search, "exactOut"), 1000, 1e5);
    expect(path?.edges.map(({ pool }) => pool.id)).toEqual([direct.id]);
  });

  it("counts what a pool takes to pay a given amount, where that is more gas", () => {
    const weighted: Pool = {
      ...{ id: addressOf(1, "pool"), source: "Balancer_V2", tokens: [A, B], curve: "weighted" },
      state: {
        ...{ balances: [1000n * E18, 1000n * E18], weights: [E18 / 2n, E18 / 2n], scales: [1n, 1n] },
        ...{ swapFee: E18 / 1000n, paused: false },
      },
    };
    const stretched = concentratedOf(2, [A, B], 0, 10_000n * E18, { feePpm: 3000 });
    const chosen = (kind: "exactIn" | "exactOut", perGas: bigint) => {
      const amount = kind === "exactIn" ? { sellAmount: E18 } : { buyAmount: E18 };
      const order = { kind, sellToken: A, buyToken: B, ...amount } as SwapOrder;
      const result = answerTo(
        order,
        [weighted, stretched],
        costAt(1n, () => ({ num: perGas, den: 1n })),
        { maxFills: 1 },
      );
      return result.found ? fillsOf(result.route).map(({ poolId }) => poolId) : [];
    };
    expect(chosen("exactOut", 0n)).toEqual([weighted.id]);
    // The other takes 0.1 % more and less gas: by 17,000 of the 82,000 for a sale, and of the 125,000 for a purchase by 60,000.
    expect(chosen("exactIn", 3n * 10n ** 10n)).toEqual([weighted.id]);
    expect(chosen("exactOut", 3n * 10n ** 10n)).toEqual([stretched.id]);
  });
});

it("is found beside pools that pay more of each other's tokens than floats can count", () => {
  const loop = Array.from({ length: 5 }, (_, i) => addressOf(i + 11)) as [Address, ...Address[]];
  // Between tokens of nobody, each pool pays 10^30 times what the next one asks for, and the last one leads back.
  const foreign = loop
    .slice(1)
    .map((token, i) => pairOf(i + 11, [loop[i] as Address, token], [1000n, 2n ** 112n - 1n]));
  const pools = [pairOf(1, [A, B], [E18, E18]), pairOf(2, [B, C], [E18, E18]), ...foreign];
  pools.push(pairOf(20, [loop[0], loop[4] as Address], [1000n, 1000n]));
  const order: SwapOrder = { kind: "exactIn", sellToken: A, buyToken: C, sellAmount: E18 / 1000n };
  expect(answerTo(order, pools).found).toBe(true);
});
