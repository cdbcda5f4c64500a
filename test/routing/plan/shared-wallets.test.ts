import { expect, test } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import { fillsOf } from "../../../src/domain/route.ts";
import { MAX_UINT256 } from "../../../src/math/full-math.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { instruction, USES_AQUA } from "../../venues/worlds/singletons/aqua.ts";

const [A, B] = [addressOf(1), addressOf(2)];
const UNIT = 10n ** 18n;
const MAKERS = [toAddress(`0x${"a1".repeat(20)}`), toAddress(`0x${"b2".repeat(20)}`)] as const;
const WALLET = 100n * UNIT;

/** A strategy of a thousand of either token, whose maker has so much of each. */
function strategyOf(n: number, maker: Address): Pool {
  const state = {
    ...{ maker, traits: USES_AQUA, program: instruction.product(), balances: [1_000n * UNIT, 1_000n * UNIT] as const },
    ...{ wallets: [WALLET, WALLET] as const, allowances: [MAX_UINT256, MAX_UINT256] as const },
  };
  return { id: addressOf(n, "pool"), source: "Aqua", tokens: [A, B], curve: "aqua", state };
}

const worse = pairOf(9, [A, B], [1_000n * UNIT, 700n * UNIT]);

test.each(["exactIn", "exactOut"] as const)("strategies of one maker pay no more than his wallet has: %s", (kind) => {
  const order =
    kind === "exactIn"
      ? ({ kind, sellToken: A, buyToken: B, sellAmount: 300n * UNIT } as const)
      : ({ kind, sellToken: A, buyToken: B, buyAmount: 200n * UNIT } as const);
  const paidBy = (makers: readonly Address[]) => {
    const pools = [...makers.map((maker, n) => strategyOf(n + 1, maker)), worse];
    const result = answerTo(order, pools);
    if (!result.found) throw new Error("no route");
    const own = fillsOf(result.route).filter(({ source }) => source === "Aqua");
    return own.reduce((sum, { buyAmount }) => sum + buyAmount, 0n);
  };
  const [one, other] = MAKERS;
  expect(paidBy([one, one])).toBeGreaterThan((WALLET * 99n) / 100n);
  expect(paidBy([one, one])).toBeLessThanOrEqual(WALLET);
  expect(paidBy([one, other])).toBeGreaterThan(WALLET);
});
