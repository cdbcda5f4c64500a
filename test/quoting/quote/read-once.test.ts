import { expect, it } from "vitest";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { readOnce, readOncePerBlock } from "../../../src/quoting/quote/read-once.ts";

const AT = { number: 5n, hash: "0x05", parentHash: "0x04", timestamp: 1_000n } as const;
const [TOKEN, OWNER, GATEWAY, PERMIT2] = [addressOf(1, "token"), addressOf(2), addressOf(3), addressOf(4)] as const;

it("a holding is read once for a block, whoever may spend native token, again after a fault, and not once it is known", async () => {
  const asked: string[] = [];
  let fails = true;
  const accounts = readOnce({
    async balanceAndAllowance({ token, spender }, { hash }) {
      asked.push(`${token} ${spender} ${hash}`);
      if (fails) throw new Error("no answer");
      return { balance: BigInt(asked.length), allowance: 0n };
    },
  });
  const balance = async (token: typeof TOKEN, spender: typeof GATEWAY, at: { readonly hash: `0x${string}` } = AT) => {
    return (await accounts.balanceAndAllowance({ token, owner: OWNER, spender }, { ...AT, ...at })).balance;
  };
  await expect(balance(TOKEN, GATEWAY)).rejects.toThrow("no answer");
  fails = false;
  expect(await balance(TOKEN, GATEWAY)).toBe(2n);
  expect(await balance(TOKEN, GATEWAY)).toBe(2n);
  expect(await balance(TOKEN, PERMIT2)).toBe(3n);
  expect(await balance(TOKEN, GATEWAY, { hash: "0x06" })).toBe(4n);
  expect(await balance(NATIVE_TOKEN, GATEWAY)).toBe(5n);
  expect(await balance(NATIVE_TOKEN, PERMIT2)).toBe(5n);
  expect(asked).toHaveLength(5);
  accounts.note({ token: TOKEN, owner: OWNER, spender: PERMIT2 }, AT, { balance: 99n, allowance: 0n });
  expect([await balance(TOKEN, PERMIT2), await balance(TOKEN, GATEWAY)]).toEqual([99n, 2n]);
  expect(asked).toHaveLength(5);
});

it("a holding is read once for all calls of a block, and nothing of a block is kept for another", async () => {
  let asked = 0;
  const accounts = readOncePerBlock({
    async balanceAndAllowance() {
      asked += 1;
      return { balance: BigInt(asked), allowance: 0n };
    },
  });
  const holding = { token: TOKEN, owner: OWNER, spender: GATEWAY };
  const balance = async (hash: `0x${string}`) => (await accounts.balanceAndAllowance(holding, { ...AT, hash })).balance;
  const read = [await balance("0x05"), await balance("0x05"), await balance("0x06"), await balance("0x05")];
  expect(read).toEqual([1n, 1n, 2n, 3n]);
});
