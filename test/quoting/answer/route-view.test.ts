import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Address, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import type { ExactInRoute, ExactOutRoute, Fill } from "../../../src/domain/route.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { PATH_ONE, pathsOf } from "../../../src/quoting/answer/paths.ts";
import { apportion, proportionsOf } from "../../../src/quoting/answer/proportions.ts";
import { routeFillsOf, type SourceCatalog, sourcesOf, tokensOf } from "../../../src/quoting/answer/route-view.ts";

const token = (n: number) => toAddress(`0x${n.toString(16).padStart(40, "0")}`);
const [A, B, C, D, E] = [token(1), token(2), token(3), token(4), token(5)];

function fill(
  poolId: string,
  source: string,
  from: Fill["sellToken"],
  to: Fill["buyToken"],
  amounts: [bigint, bigint],
): Fill {
  return {
    poolId,
    source,
    sellToken: from,
    buyToken: to,
    sellAmount: amounts[0],
    buyAmount: amounts[1],
    gas: 1n,
    share: 1n,
  };
}

function exactIn(fills: readonly Fill[], sellAmount: bigint, buyAmount: bigint): ExactInRoute {
  const [first, last] = [fills[0] as Fill, fills[fills.length - 1] as Fill];
  return { kind: "exactIn", sellToken: first.sellToken, buyToken: last.buyToken, sellAmount, buyAmount, fills };
}

const catalog: SourceCatalog = new Map([["Wrapped_Native", { kind: "wrapper", wrapsNative: true } as LiquiditySource]]);

/** A is split over B (600) and D directly (400); B is split over two pools to D. */
const merged = exactIn(
  [
    fill("direct", "X", A, D, [400n, 40n]),
    fill("ab", "X", A, B, [600n, 60n]),
    fill("bd1", "Y", B, D, [20n, 30n]),
    fill("bd2", "X", B, D, [40n, 50n]),
  ],
  1000n,
  120n,
);

describe("apportion", () => {
  it("deals out exactly the total, each part within one unit of its share", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 36n }),
        fc.array(fc.bigInt({ min: 0n, max: 10n ** 30n }), { minLength: 1, maxLength: 20 }),
        (total, weights) => {
          const sum = weights.reduce((a, b) => a + b, 0n);
          const parts = apportion(total, weights);
          expect(parts.reduce((a, b) => a + b, 0n)).toBe(sum === 0n ? 0n : total);
          if (sum === 0n) return;
          parts.forEach((part, i) => {
            const off = part * sum - total * (weights[i] as bigint);
            expect(off < sum && off > -sum).toBe(true);
          });
        },
      ),
      { seed: 4 },
    );
  });

  it("gives equal remainders to the earlier weight", () => {
    expect(apportion(2n, [1n, 1n, 1n])).toEqual([1n, 1n, 0n]);
  });
});

describe("proportionsOf", () => {
  it("sums to exactly 1", () => {
    expect(proportionsOf([1n, 1n, 1n])).toEqual([
      333_333_333_333_333_334n,
      333_333_333_333_333_333n,
      333_333_333_333_333_333n,
    ]);
    expect(proportionsOf([5n])).toEqual([10n ** 18n]);
  });
});

describe("pathsOf", () => {
  it("takes a flow apart, the widest path first, and loses nothing", () => {
    const paths = pathsOf(merged);
    expect(paths.map((path) => path.fills.map((step) => step.poolId))).toEqual([
      ["direct"],
      ["ab", "bd2"],
      ["ab", "bd1"],
    ]);
    expect(paths.map((path) => path.weight)).toEqual([
      (PATH_ONE * 4n) / 10n,
      (PATH_ONE * 4n) / 10n,
      (PATH_ONE * 2n) / 10n,
    ]);
  });

  it("takes a flow apart within a limit of hops where it can be, and as much of it as can", () => {
    const carrying = (poolId: string, [from, to]: readonly [Address, Address], amount: bigint) =>
      fill(poolId, "X", from, to, [amount, amount]);
    const fills = [
      ...[carrying("ab", [A, B], 750n), carrying("ac", [A, C], 250n), carrying("bc", [B, C], 300n)],
      ...[carrying("bd", [B, D], 450n), carrying("ce", [C, E], 250n), carrying("cd1", [C, D], 150n)],
      ...[carrying("cd2", [C, D], 150n), carrying("ed", [E, D], 250n)],
    ];
    const route = exactIn(fills, 1000n, 1000n);
    const hops = (of: ExactInRoute, most?: number) =>
      pathsOf(of, most === undefined ? undefined : { most, counts: () => true }).map(({ fills, weight }) => ({
        ...{ path: fills.map(({ poolId }) => poolId).join(">"), parts: weight / (PATH_ONE / 1000n) },
      }));
    expect(hops(route)[1]).toEqual({ path: "ab>bc>ce>ed", parts: 250n });
    expect(hops(route, 3)).toEqual([
      { path: "ab>bd", parts: 450n },
      { path: "ac>ce>ed", parts: 250n },
      { path: "ab>bc>cd1", parts: 150n },
      { path: "ab>bc>cd2", parts: 150n },
    ]);
    // Without a pool between the two, all that goes over E has come over B.
    const over = { ...route, fills: fills.filter(({ poolId }) => poolId !== "ac") };
    expect(hops(over, 3).filter(({ path }) => path.split(">").length > 3)).toHaveLength(1);
    expect(pathsOf(over, { most: 3, counts: () => true }).reduce((sum, { weight }) => sum + weight, 0n)).toBe(PATH_ONE);
  });

  it("weighs exact-out by the bought amount", () => {
    const route: ExactOutRoute = {
      kind: "exactOut",
      sellToken: A,
      buyToken: C,
      sellAmount: 1100n,
      buyAmount: 100n,
      fills: [
        fill("bc", "X", B, C, [50n, 75n]),
        fill("ac", "Y", A, C, [700n, 25n]),
        fill("ab1", "X", A, B, [100n, 10n]),
        fill("ab2", "X", A, B, [300n, 40n]),
      ],
    };
    expect(pathsOf(route).map(({ fills, weight }) => [fills.map((step) => step.poolId).join(">"), weight])).toEqual([
      ["ab2>bc", (PATH_ONE * 60n) / 100n],
      ["ac", (PATH_ONE * 25n) / 100n],
      ["ab1>bc", (PATH_ONE * 15n) / 100n],
    ]);
  });
});

describe("sourcesOf", () => {
  it("names sources that serve alone first, then paths over several pools, with shares that sum to 1", () => {
    expect(sourcesOf(merged, catalog, 4)).toEqual([
      { name: "X", proportion: 4n * 10n ** 17n },
      { name: "MultiHop", proportion: 4n * 10n ** 17n, multiHop: { intermediateTokens: [B], hops: ["X", "X"] } },
      { name: "MultiHop", proportion: 2n * 10n ** 17n, multiHop: { intermediateTokens: [B], hops: ["X", "Y"] } },
    ]);
  });

  it("does not count wrapping of the native token as a hop", () => {
    const route = exactIn(
      [fill("wrap", "Wrapped_Native", NATIVE_TOKEN, A, [9n, 9n]), fill("ab", "X", A, B, [9n, 4n])],
      9n,
      4n,
    );
    expect(sourcesOf(route, catalog, 1)).toEqual([{ name: "X", proportion: 10n ** 18n }]);
    expect(tokensOf(route)).toEqual([NATIVE_TOKEN, A, B]);
  });
});

describe("routeFillsOf", () => {
  it("shows each fill's share of its sold token", () => {
    expect(routeFillsOf(merged).map(({ pool, proportion }) => [pool, proportion])).toEqual([
      ["direct", 4n * 10n ** 17n],
      ["ab", 6n * 10n ** 17n],
      ["bd1", 333_333_333_333_333_333n],
      ["bd2", 666_666_666_666_666_667n],
    ]);
  });
});
