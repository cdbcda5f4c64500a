import { describe, expect, it } from "vitest";
import { deviatingSide, isWithinTolerance } from "../../../src/quoting/quote/deviations.ts";

const PROMISED = 30_000_000n;

it("a donation to a pool may bring more or take less, never the other way round", () => {
  const promised = { bought: PROMISED, sold: PROMISED };
  const broken = (takesDonations: boolean, bought: bigint, sold: bigint) =>
    deviatingSide({ bought: PROMISED + bought, sold: PROMISED + sold }, promised, {
      secondsLater: 0n,
      moves: false,
      takesDonations,
    });
  for (const takesDonations of [false, true]) {
    expect(broken(takesDonations, 0n, 0n)).toBeUndefined();
    expect(broken(takesDonations, -1n, -1n)).toBe("bought");
    expect(broken(takesDonations, 0n, 1n)).toBe("sold");
  }
  expect(broken(false, 1n, 0n)).toBe("bought");
  expect(broken(false, 0n, -1n)).toBe("sold");
  expect(broken(true, 1n, -1n)).toBeUndefined();
  expect(broken(true, 10n ** 30n, 0n)).toBeUndefined();
});

it("an exact output may bring as much more as its pools do, and no more is sold for it", () => {
  const promised = { bought: PROMISED, sold: PROMISED };
  const broken = (bought: bigint, sold: bigint) =>
    deviatingSide({ bought: PROMISED + bought, sold: PROMISED + sold }, promised, {
      ...{ secondsLater: 0n, moves: false, takesDonations: false, beyond: 9n },
    });
  expect([broken(0n, 0n), broken(1n, 0n), broken(9n, 0n)]).toEqual([undefined, undefined, undefined]);
  expect([broken(10n, 0n), broken(-1n, 0n), broken(9n, 1n), broken(9n, -1n)]).toEqual([
    ...["bought", "bought", "sold", "sold"],
  ]);
});

describe("an amount is as promised", () => {
  it("to the wei at the block's own second, and where nothing moves with time", () => {
    for (const [secondsLater, moves] of [
      [0n, true],
      [0n, false],
      [1n, false],
    ] as const) {
      const kept = [-1n, 0n, 1n].filter((off) => isWithinTolerance(PROMISED + off, PROMISED, secondsLater, moves));
      expect(kept).toEqual([0n]);
    }
  });

  it("to a hundred-thousandth for each second that it was seen later, and a wei, where it moves", () => {
    const offs = [-602n, -601n, -302n, -301n, 0n, 301n, 302n, 601n, 602n];
    const keptAfter = (seconds: bigint) =>
      offs.filter((off) => isWithinTolerance(PROMISED + off, PROMISED, seconds, true));
    expect(keptAfter(1n)).toEqual([-301n, 0n, 301n]);
    expect(keptAfter(2n)).toEqual([-601n, -302n, -301n, 0n, 301n, 302n, 601n]);
    expect(isWithinTolerance(1n, 2n, 1n, true)).toBe(true);
  });
});
