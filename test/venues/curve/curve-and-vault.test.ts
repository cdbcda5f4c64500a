import { encodeFunctionData, erc20Abi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { vaultMath } from "../../../src/pools/vault/math.ts";
import { curveStableswap } from "../../../src/venues/curve-stableswap/source.ts";
import { erc4626 } from "../../../src/venues/erc4626/source.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { deployStableswap, type StableswapPool, stableswapCall } from "../worlds/curve/stableswap.ts";
import { transferData } from "../worlds/traffic/minted-tokens.ts";
import { createRandom } from "../worlds/traffic/random.ts";
import { deployVault, vaultCall } from "../worlds/vault.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 600 : 30;

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

test("stableswap pools are what their contracts say at every block: exchanges, ramps, rates and kills", async () => {
  const random = createRandom(46);
  const pools = [
    await deployStableswap(anvil, { ng: false, decimals: [18, 6, 6], a: 200n, fee: 4_000_000n, multiplier: 0n }),
    await deployStableswap(anvil, {
      ng: true,
      decimals: [6, 18],
      a: 500n,
      fee: 1_000_000n,
      multiplier: 2n * 10n ** 10n,
    }),
  ];
  const approve = { abi: erc20Abi, functionName: "approve" } as const;
  for (const { address, tokens, decimals } of pools) {
    for (const [i, token] of tokens.entries()) {
      await anvil.send(token, transferData(address, 1_000_000n * 10n ** BigInt(decimals[i] as number)));
      await anvil.send(token, encodeFunctionData({ ...approve, args: [address, (1n << 256n) - 1n] }));
    }
    await anvil.send(address, stableswapCall("add", []));
  }
  const start = await anvil.mine();
  const seen = { exchanges: 0, others: 0 };
  const act = async () => {
    for (let count = random.int(0, 3); count > 0; count--) {
      const pool = random.pick(pools) as StableswapPool;
      const kind = random.int(0, 6);
      if (kind < 4) {
        seen.exchanges++;
        const sell = random.int(0, pool.tokens.length - 1);
        const amount = BigInt(random.int(1, 10_000)) * 10n ** BigInt(pool.decimals[sell] as number);
        const buy = (sell + 1) % pool.tokens.length;
        await anvil.send(pool.address, stableswapCall("exchange", [sell, buy, amount, 0n]));
        continue;
      }
      seen.others++;
      const { timestamp } = await anvil.head();
      if (kind === 4)
        await anvil.send(pool.address, stableswapCall("ramp_A", [BigInt(random.int(10, 2_000)), timestamp + 30n]));
      if (kind === 5) await anvil.send(pool.address, stableswapCall("kill", [random.chance(0.5)]));
      if (kind === 6 && pool.ng)
        await anvil.send(pool.address, stableswapCall("set_rate", [0n, 10n ** 30n + random.ofBits(98)]));
    }
    return anvil.mine();
  };
  const source = curveStableswap({
    ...{ protocol: "curve-stableswap", source: "Curve", fromBlock: 0n },
    pools: pools.map(({ address, tokens, ng }) => ({ address, coins: tokens, generation: ng ? "ng" : "old" })),
  });
  const { refs } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(refs.length).toBe(2);
  expect(seen.exchanges).toBeGreaterThan(BLOCKS / 4);
  expect(seen.others).toBeGreaterThan(BLOCKS / 6);

  // Coins in another order, or another generation than the record's, are not these pools.
  const [, ng] = refs;
  if (ng === undefined) throw new Error("no pool");
  const at = await anvil.head();
  expect(await source.sync(anvil.reader, [{ ...ng, tokens: [...ng.tokens].reverse() }], at)).toEqual([]);
  const [pool] = await source.sync(anvil.reader, [ng], at);
  if (pool === undefined) throw new Error("the pool cannot be read");
  const [sellToken, buyToken] = ng.tokens as [Address, Address];
  const fill = { poolId: pool.id, source: "Curve", sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n };
  expect(source.action(pool, { ...fill, sellToken: buyToken, buyToken: sellToken })).toEqual({
    ...{ action: "curve-pool", pool: pool.id, sell: 1, buy: 0 },
  });
});

test("vaults are what OpenZeppelin's contract says at every block, and its four previews to the wei", async () => {
  const random = createRandom(47);
  const vaults = [await deployVault(anvil, 6, 0), await deployVault(anvil, 18, 6)];
  for (const { vault } of vaults) await anvil.send(vault, vaultCall("deposit", [10n ** 12n, anvil.account]));
  const start = await anvil.mine();
  const act = async () => {
    const { vault, asset } = random.pick(vaults);
    const kind = random.int(0, 3);
    if (kind === 0) await anvil.send(asset, transferData(vault, random.ofBits(50)));
    if (kind === 1) await anvil.send(vault, vaultCall("deposit", [random.ofBits(60), anvil.account]));
    if (kind === 2) await anvil.send(vault, vaultCall("redeem", [random.ofBits(35), anvil.account, anvil.account]));
    return anvil.mine();
  };
  const source = erc4626({ protocol: "erc4626", source: "ERC4626", vaults, fromBlock: 0n });
  const { refs } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  const at = await anvil.head();
  let compared = 0;
  for (const pool of await source.sync(anvil.reader, refs, at)) {
    if (pool.curve !== "vault") throw new Error("not a vault");
    const amounts = Array.from({ length: LONG ? 20_000 : 200 }, () => random.ofBits(38));
    const ways = [
      { name: "previewDeposit", sell: 0, exactIn: true },
      { name: "previewMint", sell: 0, exactIn: false },
      { name: "previewRedeem", sell: 1, exactIn: true },
      { name: "previewWithdraw", sell: 1, exactIn: false },
    ] as const;
    for (const { name, sell, exactIn } of ways) {
      const previews = await anvil.reader.calls(
        amounts.map((amount) => ({ to: pool.id as Address, data: vaultCall(name, [amount]) })),
        at,
      );
      for (const [i, amount] of amounts.entries()) {
        const direction = { sell, buy: 1 - sell };
        const quote = exactIn
          ? vaultMath.quoteExactIn(pool.state, direction, amount, 0n)
          : vaultMath.quoteExactOut(pool.state, direction, amount, 0n);
        if (isRejection(quote)) {
          if (quote.rejected === "TOO_SMALL") expect(BigInt(previews[i] as string)).toBe(0n);
          continue;
        }
        expect(quote.amount).toBe(BigInt(previews[i] as string));
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(800);
});

test("a vault with another rounding than the record says is left out", async () => {
  const vault = await deployVault(anvil, 18, 6);
  await anvil.send(vault.vault, vaultCall("deposit", [10n ** 6n, anvil.account]));
  await anvil.send(vault.asset, transferData(vault.vault, 12_345n));
  const at = await anvil.mine();
  const other = erc4626({
    ...{ protocol: "erc4626", source: "ERC4626", fromBlock: 0n, vaults: [{ ...vault, decimalsOffset: 3 }] },
  });
  expect(await other.sync(anvil.reader, other.fixed?.() ?? [], at)).toEqual([]);
});
