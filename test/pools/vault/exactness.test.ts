import { encodeFunctionData, erc20Abi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { vaultMath } from "../../../src/pools/vault/math.ts";
import type { VaultState } from "../../../src/pools/vault/state.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { createRandom } from "../../venues/worlds/traffic/random.ts";
import { deployVault, setVault, vaultCall } from "../../venues/worlds/vault.ts";

/** Our numbers against OpenZeppelin's vault: what it takes and pays, and what it is left with, trade after trade. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const STATES = LONG ? 500 : 12;
const TRADES_PER_STATE = 20;
const NEVER_FULL = (1n << 256n) - 1n;

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

/** The vault's function for what is fixed: assets or shares that go in, or that come out. */
const WAYS = [
  { name: "deposit", sell: 0, exactIn: true },
  { name: "mint", sell: 0, exactIn: false },
  { name: "redeem", sell: 1, exactIn: true },
  { name: "withdraw", sell: 1, exactIn: false },
] as const;

test.each([
  [6, 0],
  [18, 6],
  [18, 0],
  [8, 10],
])("a vault over %i decimals with an offset of %i takes and pays what is said", async (decimals, offset) => {
  const seed = decimals * 100 + offset;
  const random = createRandom(seed);
  const tried = countCases("erc4626", `decimals-${decimals}-offset-${offset}`, seed);
  const { vault, asset } = await deployVault(anvil, decimals, offset);
  const seen = { trades: 0, out: 0, all: 0, refused: 0 };
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [vault] });
  for (let round = 0; round < STATES; round++) {
    // Shares as many as the assets would have made, more or less; or anything at all.
    const totalAssets = random.ofBits(100);
    const even = totalAssets * 10n ** BigInt(offset);
    const totalSupply = random.chance(0.3) ? random.ofBits(110) : (even * BigInt(random.int(200, 1_100))) / 1_000n;
    await setVault(anvil, { vault, asset }, { totalAssets, totalSupply });
    const head = await anvil.mine();
    let state: VaultState = { totalAssets, totalSupply, virtualShares: 10n ** BigInt(offset), maxDeposit: NEVER_FULL };
    const steps: { readonly data: ReturnType<typeof vaultCall>; readonly after: readonly bigint[] }[] = [];
    for (let count = 0; count < TRADES_PER_STATE; count++) {
      const { name, sell, exactIn } = random.pick(WAYS);
      const direction = { sell, buy: 1 - sell };
      const limits = vaultMath.limits(state, direction, 0n);
      const most = exactIn ? limits.maxSell : limits.maxBuy;
      const isAll = random.chance(0.05);
      const amount = isAll ? most : random.between(1n, most > 1n ? most : 1n);
      const quote = vaultMath[exactIn ? "quoteExactIn" : "quoteExactOut"](state, direction, amount, 0n);
      if (isRejection(quote)) {
        seen.refused++;
        continue;
      }
      if (isAll) seen.all++;
      if (!exactIn) seen.out++;
      state = quote.next;
      const parties = sell === 0 ? [anvil.multicall] : [anvil.multicall, anvil.multicall];
      steps.push({
        data: vaultCall(name, [amount, ...parties]),
        after: [quote.amount, state.totalSupply, state.totalAssets],
      });
    }
    const answers = await anvil.reader.calls(
      steps.flatMap(({ data }) => [
        { to: vault, data },
        { to: vault, data: vaultCall("totalSupply") },
        { to: asset, data: balanceOf },
      ]),
      head,
    );
    for (const [i, { after }] of steps.entries()) {
      const theirs = answers.slice(3 * i, 3 * i + 3).map((word) => word && BigInt(word));
      tried.same(
        after,
        theirs,
        JSON.stringify({ round, totalAssets: `${totalAssets}`, totalSupply: `${totalSupply}` }),
      );
      seen.trades++;
    }
  }
  expect(seen.trades).toBeGreaterThan(STATES * TRADES_PER_STATE * 0.6);
  expect(seen.out).toBeGreaterThan(seen.trades / 4);
  expect(seen.all).toBeGreaterThan(0);
});
