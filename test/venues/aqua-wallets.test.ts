import { expect, test } from "vitest";
import type { Hex } from "../../src/domain/address.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { Call, ChainReader } from "../../src/market/chain-reader.ts";
import { MAX_WALLETS, Wallets } from "../../src/venues/aqua/wallets.ts";

const AQUA = numbered("aa", 1);
const HASH: Hex = `0x${"00".repeat(32)}`;
const BLOCK = { number: 1n, hash: HASH, parentHash: HASH, timestamp: 1n };

function numbered(front: string, n: number): Address {
  return toAddress(`0x${front}${n.toString(16).padStart(38, "0")}`);
}

test("one maker with thousands of tokens leaves the others their wallets", async () => {
  const held = { wallets: [10n ** 30n, 10n ** 18n], allowances: [10n ** 30n, 10n ** 18n] } as const;
  const valued = numbered("cc", 1);
  const crowd = Array.from({ length: 2 * MAX_WALLETS }, (_, n) => {
    return { maker: numbered("ee", 1), tokens: [numbered("dd", n), valued], held };
  });
  const small = { wallets: [7n, 7n], allowances: [7n, 7n] } as const;
  const others = Array.from({ length: 40 }, (_, n) => {
    return { maker: numbered("bb", n), tokens: [numbered("cc", 0), valued], held: small };
  });
  let asked = 0;
  const chain = {
    calls: async (calls: readonly Call[]) => {
      asked += calls.length;
      return calls.map((): Hex => `0x${"0".repeat(63)}9`);
    },
  } as unknown as ChainReader;
  const read = await Wallets.read({ chain, at: BLOCK, aqua: AQUA }, [...crowd, ...others]);
  expect(asked).toBe(2 * MAX_WALLETS);
  for (const { maker, tokens } of others) expect(read.of(maker, tokens).wallets).toEqual([9n, 9n]);
  expect(read.of(numbered("ee", 1), [valued, numbered("dd", 2 * MAX_WALLETS - 1)]).wallets).toEqual([9n, 0n]);
});
