import { describe, expect, it } from "vitest";
import { type Address, NATIVE_TOKEN, toAddress } from "../../src/domain/address.ts";
import type { BlockRef } from "../../src/domain/block.ts";
import type { AccountReader } from "../../src/quoting/ports.ts";
import { routerSales } from "../support/trades/router-sale.ts";
import type { TestDevnet } from "../support/worlds/devnet.ts";

const MAX_UINT256 = 2n ** 256n - 1n;
const NOBODY = toAddress(`0x${"12".repeat(20)}`);
const SOMEBODY = toAddress(`0x${"7b".repeat(20)}`);
const SPENDER = toAddress(`0x${"5f".repeat(20)}`);
const GONE = `0x${"ee".repeat(32)}` as const;

/** Holds every implementation of AccountReader to the same, over a devnet. `knows`: whether it can tell of any account. */
export function describeAccountReader(
  name: string,
  setting: {
    readonly devnet: () => TestDevnet;
    readonly create: (devnet: TestDevnet) => AccountReader;
    readonly knows: boolean;
  },
): void {
  const { devnet, create, knows } = setting;
  const { head, tokenOf } = routerSales(devnet);
  const read = (token: Address, owner: Address, at: BlockRef, deadlineMs?: number) =>
    create(devnet()).balanceAndAllowance({ token, owner, spender: SPENDER }, at, deadlineMs);

  describe(`accounts ${name}`, () => {
    it("are told by no number that was made up: what cannot be told is an error, later and never at once", async () => {
      const at = await head();
      const { whale } = devnet();
      const gone = { ...at, number: at.number + 1_000n, hash: GONE };
      for (const [token, block] of [
        [NOBODY, at],
        [tokenOf("USDR"), gone],
        [NATIVE_TOKEN, gone],
      ] as const) {
        const answer = read(token, whale, block);
        expect(answer).toBeInstanceOf(Promise);
        await expect(answer).rejects.toThrow(Error);
      }
    });

    it("are told to nobody whose deadline is over", async () => {
      const at = await head();
      for (const token of [tokenOf("USDR"), NATIVE_TOKEN])
        await expect(read(token, devnet().whale, at, Date.now() - 1)).rejects.toThrow(Error);
    });

    it.runIf(!knows)("are unknown, all of them", async () => {
      const at = await head();
      for (const token of [tokenOf("USDR"), NATIVE_TOKEN])
        await expect(read(token, devnet().whale, at)).rejects.toThrow(Error);
    });
  });

  describe.runIf(knows)(`accounts ${name}, where they are known`, () => {
    it("have what they have at the block that is named, whatever came after it", async () => {
      await devnet().rolledBack(async () => {
        const usdr = tokenOf("USDR");
        const before = await head();
        await devnet().fund(NATIVE_TOKEN, SOMEBODY, 10n ** 18n);
        await devnet().fund(usdr, SOMEBODY, 12_345n);
        await devnet().approve(usdr, SOMEBODY, SPENDER, 678n);
        const after = await head();
        expect(await read(usdr, SOMEBODY, before)).toEqual({ balance: 0n, allowance: 0n });
        expect(await read(usdr, SOMEBODY, after)).toEqual({ balance: 12_345n, allowance: 678n });
        expect(await read(usdr, SOMEBODY, after, Date.now() + 60_000)).toEqual({ balance: 12_345n, allowance: 678n });
        expect((await read(NATIVE_TOKEN, SOMEBODY, before)).balance).toBe(0n);
        const native = await devnet().balanceOf(NATIVE_TOKEN, SOMEBODY);
        expect(native).toBeGreaterThan(0n);
        expect((await read(NATIVE_TOKEN, SOMEBODY, after)).balance).toBe(native);
      });
    });

    it("need no approval for the native token", async () => {
      expect(await read(NATIVE_TOKEN, NOBODY, await head())).toEqual({ balance: 0n, allowance: MAX_UINT256 });
    });

    it("are kept apart when they are asked for at the same time", async () => {
      const [reader, at, usdr] = [create(devnet()), await head(), tokenOf("USDR")];
      const owners = [devnet().whale, NOBODY, devnet().contracts.uniswapV2Router];
      const answers = await Promise.all(
        owners.map((owner) => reader.balanceAndAllowance({ token: usdr, owner, spender: SPENDER }, at)),
      );
      const balances = await Promise.all(owners.map((owner) => devnet().balanceOf(usdr, owner)));
      expect(answers.map(({ balance }) => balance)).toEqual(balances);
    });
  });
}
