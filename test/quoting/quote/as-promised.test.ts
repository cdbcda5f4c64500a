import { describe, expect, it } from "vitest";
import { isAsPromised } from "../../../src/quoting/quote/as-promised.ts";

const PROMISED = 30_000_000n;

describe("an amount is as promised", () => {
  it("to the wei at the block's own second, and where nothing moves with time", () => {
    for (const [secondsLater, moves] of [
      [0n, true],
      [0n, false],
      [1n, false],
    ] as const) {
      const kept = [-1n, 0n, 1n].filter((off) => isAsPromised(PROMISED + off, PROMISED, secondsLater, moves));
      expect(kept).toEqual([0n]);
    }
  });

  it("to a hundred-thousandth for each second that it was seen later, and a wei, where it moves", () => {
    const offs = [-602n, -601n, -302n, -301n, 0n, 301n, 302n, 601n, 602n];
    const keptAfter = (seconds: bigint) => offs.filter((off) => isAsPromised(PROMISED + off, PROMISED, seconds, true));
    expect(keptAfter(1n)).toEqual([-301n, 0n, 301n]);
    expect(keptAfter(2n)).toEqual([-601n, -302n, -301n, 0n, 301n, 302n, 601n]);
    expect(isAsPromised(1n, 2n, 1n, true)).toBe(true);
  });
});
