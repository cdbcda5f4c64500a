import fc from "fast-check";
import { concat, type Hex, size } from "viem";
import { describe, expect, test } from "vitest";
import { toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { MAX_UINT256 } from "../../../src/math/full-math.ts";
import { impossibleAqua } from "../../../src/pools/aqua/impossible.ts";
import { aquaMath } from "../../../src/pools/aqua/math.ts";
import { MAX_PROGRAM_LENGTH, programOf } from "../../../src/pools/aqua/program.ts";
import type { AquaState } from "../../../src/pools/aqua/state.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { instruction, instructionOf, USES_AQUA } from "../../venues/worlds/singletons/aqua.ts";
import { directionsOf } from "../curve/directions.ts";
import { aquaPools, MAKER } from "./arbitrary-aqua.ts";

const UNIT = 10n ** 18n;
const FORTH: Direction = { sell: 0, buy: 1 };
const RECEIVER = toAddress(`0x${"fe".repeat(20)}`);

/** Base units that roundings of square roots and of scaled balances move. */
function roundingOf({ balances }: AquaState, { sell, buy }: Direction): number {
  const [sold, bought] = [Number(balances[sell as 0 | 1]), Number(balances[buy as 0 | 1])];
  return 4 + bought * 4e-14 + (2 * bought) / sold;
}

poolContract("Aqua's strategies", {
  ...{ math: aquaMath, states: aquaPools, directions: directionsOf(2), tradable: 0.5 },
  roundingOf,
  exactOutExtra: (state, direction) =>
    BigInt(Math.ceil(4 + roundingOf(state, { sell: direction.buy, buy: direction.sell }))),
  exactOutShort: (state, direction) => BigInt(Math.ceil(roundingOf(state, direction))),
  roundTripExtra: (state, { sell, buy }) => BigInt(Math.ceil(roundingOf(state, { sell: buy, buy: sell }))),
  feeRounding: (state, { sell, buy }) => BigInt(Math.ceil(4 + roundingOf(state, { sell: buy, buy: sell }))),
});

function stateOf(program: readonly Hex[], changes: Partial<AquaState> = {}): AquaState {
  return {
    ...{ maker: MAKER, traits: USES_AQUA, program: concat(program), balances: [1_000n * UNIT, 2_000n * UNIT] },
    ...{ wallets: [5_000n * UNIT, 5_000n * UNIT], allowances: [MAX_UINT256, MAX_UINT256], ...changes },
  };
}

function sold(state: AquaState, amount: bigint) {
  const quote = aquaMath.quoteExactIn(state, FORTH, amount, 0n);
  if (isRejection(quote)) throw new Error(quote.rejected);
  return quote;
}

describe("what a maker can pay", () => {
  test.each([
    ["Aqua counts", { balances: [1_000n * UNIT, 0n] }],
    ["the wallet holds", { wallets: [0n, 0n] }],
    ["the maker lets Aqua draw", { allowances: [0n, 0n] }],
  ] as const)("is no more than %s", (_, changes) => {
    const range = instruction.range(UNIT, 4n * UNIT);
    const state = stateOf([range, instruction.product()], changes);
    expect(aquaMath.limits(state, FORTH, 0n)).toEqual({ maxSell: 0n, maxBuy: 0n });
    expect(isRejection(aquaMath.quoteExactIn(state, FORTH, UNIT, 0n))).toBe(true);
  });

  test("ends a direction at the unit", () => {
    const state = stateOf([instruction.product()], { wallets: [0n, 10n * UNIT] });
    const { maxSell, maxBuy } = aquaMath.limits(state, FORTH, 0n);
    expect(maxBuy).toBe(10n * UNIT);
    expect((maxSell * 2_000n * UNIT) / (1_000n * UNIT + maxSell)).toBe(10n * UNIT);
    expect(((maxSell + 1n) * 2_000n * UNIT) / (1_000n * UNIT + maxSell + 1n)).toBeGreaterThan(10n * UNIT);
  });
});

describe("a protocol's fee", () => {
  const program = [instruction.protocolFee(10_000_000n, RECEIVER), instruction.product()];
  const fee = UNIT / 100n;

  test("leaves the strategy, the wallet and the allowance of what is sold", () => {
    const { next, amount } = sold(stateOf(program, { allowances: [100n * UNIT, 100n * UNIT] }), UNIT);
    expect(next.balances).toEqual([1_001n * UNIT - fee, 2_000n * UNIT - amount]);
    expect(next.wallets).toEqual([5_001n * UNIT - fee, 5_000n * UNIT - amount]);
    expect(next.allowances).toEqual([100n * UNIT - fee, 100n * UNIT - amount]);
  });

  test("stays with a maker who cannot pay it before what is sold has come", () => {
    const { next } = sold(stateOf(program, { wallets: [0n, 5_000n * UNIT] }), UNIT);
    expect(next.balances[0]).toBe(1_001n * UNIT);
    expect(next.wallets[0]).toBe(UNIT);
  });
});

test("what a fee takes whole is not sold for more than the maker has, by a curve that rounds a unit to much", () => {
  const pegged = instruction.pegged(31_249_943_066_200_000_000_000_000_000n, 103n, 10n ** 27n, 24n, 3n);
  const state = stateOf([instruction.flatFee(1n), pegged], {
    ...{ balances: [(1n << 128n) - 1n, 0n], wallets: [534_080n, MAX_UINT256] },
  });
  expect(aquaMath.limits(state, { sell: 1, buy: 0 }, 0n)).toEqual({ maxSell: 0n, maxBuy: 0n });
  expect(aquaMath.quoteExactIn(state, { sell: 1, buy: 0 }, 1n, 0n)).toHaveProperty("rejected");
});

test("a deadline ends a program a second after it", () => {
  const state = stateOf([instruction.deadline(1_000n), instruction.product()]);
  expect(isRejection(aquaMath.quoteExactIn(state, FORTH, UNIT, 1_000n))).toBe(false);
  expect(aquaMath.quoteExactIn(state, FORTH, UNIT, 1_001n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(aquaMath.limits(state, FORTH, 1_001n)).toEqual({ maxSell: 0n, maxBuy: 0n });
});

describe("a program", () => {
  const product = instruction.product();
  test.each<[string, readonly Hex[]]>([
    ["nothing", []],
    ["no curve", [instruction.salt(1n)]],
    ["two curves", [product, product]],
    ["a fee behind its curve", [product, instruction.flatFee(1n)]],
    ["a fee of everything", [instruction.flatFee(10n ** 9n), product]],
    ["a protocol's fee for nobody", [instruction.protocolFee(1n, ZERO_ADDRESS), product]],
    ["a range upside down", [instruction.range(2n * UNIT, UNIT), product]],
    ["two ranges", [instruction.range(1n, UNIT), instruction.range(1n, UNIT), product]],
    ["a range before pegged tokens", [instruction.range(1n, UNIT), instruction.pegged(1n, 1n, 0n, 1n, 1n)]],
    ["pegged tokens without a reference", [instruction.pegged(0n, 1n, 0n, 1n, 1n)]],
    ["pegged tokens that are too flat", [instruction.pegged(1n, 1n, 5_001n * 10n ** 27n, 1n, 1n)]],
    ["a jump", [instructionOf(0x0a, "0x0004"), product]],
    ["a call of another contract", [instructionOf(0x20, `0x${"11".repeat(20)}`), product]],
    ["a token that the sender has to have", [instructionOf(0x21, `0x${"11".repeat(20)}`), product]],
    ["decay", [instructionOf(0x13, "0x0010"), product]],
    ["arguments that are too short", [instructionOf(0x15, "0x0001"), product]],
    ["arguments that end beyond it", [product, "0x14ff00"]],
    ["half an instruction", [product, "0x14"]],
    [
      "more bytes than are looked at",
      [
        instructionOf(0x14, `0x${"00".repeat(250)}`),
        instructionOf(0x14, `0x${"00".repeat(250)}`),
        product,
        instructionOf(0x14, `0x${"00".repeat(250)}`),
      ],
    ],
    ["instructions without end", [...Array.from({ length: 100 }, () => instructionOf(0x14, "0x")), product]],
  ])("with %s is left out", (_, parts) => {
    expect(programOf(parts.length === 0 ? "0x" : concat(parts))).toBeUndefined();
  });

  test("is read in the order of its instructions, and its earliest deadline counts", () => {
    const parts = [
      instruction.deadline(9n),
      instruction.flatFee(7n),
      instruction.deadline(8n),
      instruction.protocolFee(5n, RECEIVER),
      instruction.range(1n, UNIT),
      product,
    ];
    expect(programOf(concat(parts))).toEqual({
      fees: [{ rate: 7n }, { rate: 5n, to: RECEIVER }],
      ...{ range: { sqrtMin: 1n, sqrtMax: UNIT }, pegged: undefined, deadline: 8n },
    });
  });

  test("of any bytes is read or left out, and trades or does not, but never throws", () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 90 });
    const anyPart = fc.oneof(
      bytes.map((part): Hex => `0x${Buffer.from(part).toString("hex")}`),
      fc.constant(product),
      fc.tuple(fc.bigInt(0n, MAX_UINT256), fc.bigInt(0n, MAX_UINT256)).map((bounds) => instruction.range(...bounds)),
      fc
        .tuple(...Array.from({ length: 5 }, () => fc.bigInt(0n, MAX_UINT256)))
        .map((terms) => instruction.pegged(...(terms as [bigint, bigint, bigint, bigint, bigint]))),
    );
    const anyAmount = fc.oneof(fc.constantFrom(0n, 1n, MAX_UINT256), fc.bigInt(0n, 1n << 130n));
    const any = fc.record({
      parts: fc.array(anyPart, { minLength: 1, maxLength: 4 }),
      amounts: fc.tuple(anyAmount, anyAmount, anyAmount, anyAmount),
      amount: anyAmount,
    });
    fc.assert(
      fc.property(any, ({ parts, amounts: [a, b, c, d], amount }) => {
        const state = stateOf(parts, { balances: [a, b], wallets: [c, d], allowances: [d, c] });
        for (const direction of directionsOf(2)) {
          const quote = aquaMath.quoteExactIn(state, direction, amount, 0n);
          if (!isRejection(quote)) expect(quote.amount).toBeLessThanOrEqual(state.wallets[direction.buy as 0 | 1]);
          aquaMath.quoteExactOut(state, direction, amount, 0n);
          aquaMath.spotPrice(state, direction, 0n);
          aquaMath.curve(state, direction, 0n)?.buyAmountFor(Number(amount));
        }
      }),
      { numRuns: 500, seed: 5 },
    );
  });
});

test("states that strategies can have are possible, others not", () => {
  fc.assert(
    fc.property(aquaPools, (state) => {
      expect(impossibleAqua(state)).toBeUndefined();
      expect(size(state.program)).toBeLessThan(MAX_PROGRAM_LENGTH);
    }),
  );
  expect(impossibleAqua(stateOf([instruction.salt(1n)]))).toMatch(/^program/);
  expect(impossibleAqua(stateOf([instruction.product()], { balances: [1n << 128n, 1n] }))).toMatch(/^balances/);
});
