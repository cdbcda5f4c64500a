import { encodeFunctionData, erc20Abi } from "viem";
import { describe, expect, it } from "vitest";
import { NATIVE_TOKEN, toAddress } from "../../src/domain/address.ts";
import { useDevnet } from "../support/worlds/devnet.ts";

const TAKER = toAddress("0x00000000000000000000000000000000000a11ce");
const SPENDER = toAddress("0x0000000000000000000000000000000000005bed");

describe("the devnet of the tests", () => {
  const devnet = useDevnet();
  const newest = () =>
    devnet().rpc<{ number: string; hash: string; timestamp: string; gasLimit: string }>("eth_getBlockByNumber", [
      "latest",
      false,
    ]);

  it("mines by hand, two seconds apart or at the time that was asked for", async () => {
    const first = await newest();
    await devnet().mine();
    const second = await newest();
    expect(Number(second.number)).toBe(Number(first.number) + 1);
    expect(Number(second.timestamp)).toBe(Number(first.timestamp) + 2);
    await devnet().mine(Number(second.timestamp) + 1_000);
    expect(Number((await newest()).timestamp)).toBe(Number(second.timestamp) + 1_000);
    await devnet().mine();
    expect(Number((await newest()).timestamp)).toBe(Number(second.timestamp) + 1_002);
  });

  it("pins the time of a transaction's block, also after a roll back", async () => {
    const before = await newest();
    for (const ahead of [7, 1, 3_600]) {
      await devnet().rolledBack(async () => {
        await devnet().setNextTimestamp(Number(before.timestamp) + ahead);
        await devnet().sendTransaction(devnet().whale, { to: TAKER, value: 1n });
        expect(Number((await newest()).timestamp)).toBe(Number(before.timestamp) + ahead);
      });
      expect(await newest()).toEqual(before);
    }
    await devnet().rolledBack(async () => {
      await devnet().mine();
      expect(Number((await newest()).timestamp)).toBe(Number(before.timestamp) + 2);
      expect(Number((await newest()).gasLimit)).toBe(60_000_000);
    });
  });

  it("funds every token and the native one, and approves twice over", async () => {
    await devnet().fund(NATIVE_TOKEN, TAKER, 10n ** 18n);
    const tokens = [NATIVE_TOKEN, ...devnet().tokens.map((token) => token.address)];
    for (const token of tokens) {
      const before = await devnet().balanceOf(token, TAKER);
      await devnet().fund(token, TAKER, 10n ** 9n);
      expect((await devnet().balanceOf(token, TAKER)) - before).toBe(10n ** 9n);
      if (token === NATIVE_TOKEN) continue;
      for (const amount of [5n, 7n]) await devnet().approve(token, TAKER, SPENDER, amount);
      const pull = encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args: [TAKER, SPENDER, 7n] });
      expect((await devnet().sendTransaction(devnet().whale, { to: token, data: pull })).succeeded).toBe(false);
      await devnet().fund(NATIVE_TOKEN, SPENDER, 10n ** 18n);
      expect((await devnet().sendTransaction(SPENDER, { to: token, data: pull })).succeeded).toBe(true);
      expect(await devnet().balanceOf(token, SPENDER)).toBe(7n);
    }
  });

  it("answers what a transaction reverted with and what its sender paid", async () => {
    const token = devnet().tokens[1]!.address;
    await devnet().fund(NATIVE_TOKEN, TAKER, 10n ** 18n);
    const before = await devnet().balanceOf(NATIVE_TOKEN, TAKER);
    const receipt = await devnet().sendTransaction(TAKER, {
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [SPENDER, 2n ** 255n] }),
    });
    expect(receipt.succeeded).toBe(false);
    // ERC20InsufficientBalance(address,uint256,uint256)
    expect(receipt.revertData).toMatch(/^0xe450d38c/);
    expect(receipt.networkFee).toBeGreaterThan(0n);
    expect(before - (await devnet().balanceOf(NATIVE_TOKEN, TAKER))).toBe(receipt.networkFee);
  });
});
