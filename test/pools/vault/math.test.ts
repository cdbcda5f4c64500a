import fc from "fast-check";
import { expect, test } from "vitest";
import { vaultMath } from "../../../src/pools/vault/math.ts";
import type { VaultState } from "../../../src/pools/vault/state.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";
import { directionsOf } from "../curve/directions.ts";

const states: fc.Arbitrary<VaultState> = fc.record({
  totalAssets: amountOfBits(110),
  totalSupply: amountOfBits(110),
  virtualShares: fc.constantFrom(1n, 1_000n, 10n ** 12n),
  maxDeposit: fc.oneof(fc.constant((1n << 256n) - 1n), amountOfBits(100)),
});

poolContract("a vault", {
  math: vaultMath,
  states,
  directions: directionsOf(2),
  exactOutExtra: () => 0n,
  roundingOf: () => 1,
  tradable: 0.3,
});

const vault: VaultState = {
  ...{ totalAssets: 1_100n, totalSupply: 1_000n, virtualShares: 1n, maxDeposit: 500n },
};
const ENTER = { sell: 0, buy: 1 };

test("a vault takes no more than it says, and gives no more shares back than there are", () => {
  expect(vaultMath.quoteExactIn(vault, ENTER, 501n, 0n)).toEqual({ rejected: "TOO_LARGE", most: 500n });
  expect(vaultMath.quoteExactIn({ ...vault, maxDeposit: 0n }, ENTER, 1n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(vaultMath.curve({ ...vault, maxDeposit: 0n }, ENTER, 0n)).toBeUndefined();
  const leave = vaultMath.quoteExactIn(vault, { sell: 1, buy: 0 }, 1_001n, 0n);
  expect(leave).toEqual({ rejected: "TOO_LARGE", most: 1_000n });
});
