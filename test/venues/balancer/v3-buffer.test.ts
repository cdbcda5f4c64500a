import { encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { mathOf } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { type BalancerV3World, deployBalancerV3, deskCall } from "../worlds/balancer-v3.ts";
import { deployBuffer, sourceOf, wrap } from "../worlds/buffer.ts";
import { transferData } from "../worlds/traffic/minted-tokens.ts";
import { createRandom } from "../worlds/traffic/random.ts";
import { deployVault, type TestVault, vaultCall } from "../worlds/vault.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 400 : 20;
const TRADES = LONG ? 2_000 : 40;

const AMOUNT = 10n ** 12n;
const MANAGED = parseAbi([
  "function pauseVaultBuffers()",
  "function unpauseVaultBuffers()",
  "function pauseVault()",
  "function unpauseVault()",
  "function removeLiquidityFromBuffer(address wrapped, uint256 shares, uint256 leastUnderlying, uint256 leastWrapped)",
]);
const KINDS = ["trade", "deposit", "redeem", "growth", "pause", "withdrawal"] as const;

let anvil: Anvil;
let world: BalancerV3World;
let source: LiquiditySource;
const vaults: TestVault[] = [];

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployBalancerV3(anvil);
  vaults.push(await deployBuffer(anvil, world, { decimals: 6, decimalsOffset: 0, amount: AMOUNT }));
  vaults.push(await deployBuffer(anvil, world, { decimals: 18, decimalsOffset: 6, amount: AMOUNT }));
  source = sourceOf(world, vaults);
  const { abi } = bundled("BalancerAuthorizer");
  for (const name of ["pauseVaultBuffers", "unpauseVaultBuffers", "pauseVault", "unpauseVault"] as const) {
    const selector = toFunctionSelector(`${name}()`);
    const action = await anvil.read<Hex>(world.vault, bundled("BalancerV3VaultAdmin").abi, "getActionId", [selector]);
    await anvil.send(
      world.authorizer,
      encodeFunctionData({ abi, functionName: "grantRole", args: [action, anvil.account] }),
    );
  }
  await anvil.mine();
});
afterAll(() => anvil?.stop());

function managed(functionName: (typeof MANAGED)[number]["name"], args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: MANAGED, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
}

test("buffers are what the vault says at every block", async () => {
  const random = createRandom(81);
  const seen = new Set<string>();
  const disturb = async () => {
    const { vault, asset, decimalsOffset } = random.pick(vaults);
    const shares = random.between(1_000n, AMOUNT / 10n) * 10n ** BigInt(decimalsOffset);
    const kind = KINDS.find((each) => !seen.has(each)) ?? random.pick(KINDS);
    seen.add(kind);
    const { account } = anvil;
    if (kind === "trade") {
      const amount = random.between(2n * 10n ** 6n, AMOUNT);
      await anvil.send(world.desk, deskCall("wrapOrUnwrap", [world.vault, wrap(vault, true, true, amount), amount]));
    }
    if (kind === "deposit") await anvil.send(vault, vaultCall("deposit", [random.ofBits(40), account]));
    if (kind === "redeem") await anvil.send(vault, vaultCall("redeem", [shares, account, account]));
    if (kind === "growth") await anvil.send(asset, transferData(vault, random.ofBits(38)));
    if (kind === "pause") {
      const [pause, unpause] = random.pick([
        ["pauseVaultBuffers", "unpauseVaultBuffers"],
        ["pauseVault", "unpauseVault"],
      ] as const);
      await anvil.send(world.vault, managed(random.chance(0.4) ? pause : unpause));
    }
    if (kind === "withdrawal")
      await anvil.send(world.vault, managed("removeLiquidityFromBuffer", [vault, AMOUNT / 50n, 0n, 0n]));
  };
  const report = await sourceContract({
    ...{ source, reader: anvil.reader, start: await anvil.mine(), blocks: BLOCKS, logsOf: anvil.logsOf },
    act: async () => {
      for (let count = random.int(0, 3); count > 0; count--) await disturb();
      return anvil.mine();
    },
  });
  expect(report.refs.map(({ tokens }) => tokens)).toEqual(vaults.map(({ vault, asset }) => [asset, vault]));
  expect(seen.size).toBe(KINDS.length);
});

test("a trade in the vault pays or costs what was quoted, and leaves what was said", async () => {
  const random = createRandom(82);
  await anvil.send(world.vault, managed("unpauseVaultBuffers"));
  await anvil.send(world.vault, managed("unpauseVault"));
  for (const { vault } of vaults) await anvil.send(vault, vaultCall("deposit", [10n ** 6n * AMOUNT, anvil.account]));
  let at = await anvil.mine();
  const refs = source.fixed?.() ?? [];
  const seen = { in: 0, out: 0, served: 0, short: 0, refused: 0 };
  let synced = await source.sync(anvil.reader, refs, at);
  expect(synced.length).toBe(refs.length);
  for (let count = 0; count < TRADES; count++) {
    const pool = random.pick(synced);
    if (pool.curve !== "balancer-v3-buffer") throw new Error("not a buffer");
    const math = mathOf(pool);
    const [sell, exactIn] = [random.int(0, 1), random.chance(0.5)];
    const direction = { sell, buy: 1 - sell };
    const unit = sell === (exactIn ? 1 : 0) ? pool.state.virtualShares : 1n;
    const amount = random.between(random.pick([2n * 10n ** 6n, AMOUNT / 4n]), 2n * AMOUNT) * unit;
    const ask = exactIn ? math.quoteExactIn : math.quoteExactOut;
    const quote = ask(pool.state, direction, amount, at.timestamp);
    if (isRejection(quote)) {
      seen.refused++;
      continue;
    }
    const [cost, paid] = exactIn ? [amount, quote.amount] : [quote.amount, amount];
    const wrapped = pool.tokens[1] as Address;
    const before = await anvil.read<bigint>(wrapped, bundled("WETH9").abi, "balanceOf", [anvil.account]);
    const params = wrap(wrapped, sell === 0, exactIn, amount);
    await anvil.send(world.desk, deskCall("wrapOrUnwrap", [world.vault, params, cost]));
    at = await anvil.mine();
    const after = await anvil.read<bigint>(wrapped, bundled("WETH9").abi, "balanceOf", [anvil.account]);
    expect(after - before).toBe(sell === 0 ? paid : -cost);
    synced = await source.sync(anvil.reader, refs, at);
    expect(synced.find(({ id }) => id === pool.id)?.state).toEqual(quote.next);
    seen[exactIn ? "in" : "out"]++;
    seen["totalSupply" in quote.next && quote.next.totalSupply === pool.state.totalSupply ? "served" : "short"]++;
  }
  expect(seen.refused).toBeLessThan(TRADES / 4);
  expect(Math.min(seen.in, seen.out, seen.served, seen.short)).toBeGreaterThan(TRADES / 8);
});

test("a vault without a buffer, with another asset, other previews or limits of its own is left out or limited", async () => {
  const at = await anvil.mine();
  const [made] = vaults as [TestVault];
  const read = async (vault: TestVault, reader: ChainReader = anvil.reader) => {
    const one = sourceOf(world, [vault]);
    return one.sync(reader, one.fixed?.() ?? [], at);
  };
  expect((await read(made)).length).toBe(1);
  expect(await read({ ...made, asset: toAddress(`0x${"77".repeat(20)}`) })).toEqual([]);
  expect(await read({ ...made, decimalsOffset: 3 })).toEqual([]);
  const answering = (signature: string, word: bigint | undefined): ChainReader => ({
    ...anvil.reader,
    calls: async (calls, block) => {
      const answers = await anvil.reader.calls(calls, block);
      const selector = toFunctionSelector(signature);
      const forged: Hex | undefined = word === undefined ? word : `0x${word.toString(16).padStart(64, "0")}`;
      return answers.map((answer, i) => (calls[i]?.data.startsWith(selector) ? forged : answer));
    },
  });
  for (const signature of ["asset()", "getBufferAsset(address)", "previewMint(uint256)", "totalSupply()"])
    expect(await read(made, answering(signature, 7n)), signature).toEqual([]);
  for (const signature of ["maxMint(address)", "maxRedeem(address)", "areBuffersPaused()", "getBufferBalance(address)"])
    expect(await read(made, answering(signature, undefined)), signature).toEqual([]);
  const limits = { maxDeposit: (1n << 256n) - 1n, maxRedeem: (1n << 256n) - 1n };
  expect((await read(made))[0]?.state).toMatchObject(limits);
  const [minting] = await read(made, answering("maxMint(address)", 10n ** 9n));
  if (minting?.curve !== "balancer-v3-buffer") throw new Error("not a buffer");
  const { totalAssets, totalSupply } = minting.state;
  expect(minting.state.maxDeposit).toBe((10n ** 9n * (totalAssets + 1n)) / (totalSupply + 1n));
  const [redeeming] = await read(made, answering("maxRedeem(address)", 10n ** 5n));
  expect(redeeming?.state).toMatchObject({ maxRedeem: 10n ** 5n });
  for (const signature of ["areBuffersPaused()", "isVaultPaused()"])
    expect((await read(made, answering(signature, 1n)))[0]?.state, signature).toMatchObject({ paused: true });
  const bare = await deployVault(anvil, 6, 0);
  await anvil.send(bare.vault, vaultCall("deposit", [10n ** 9n, anvil.account]));
  const later = await anvil.mine();
  const one = sourceOf(world, [bare]);
  expect(await one.sync(anvil.reader, one.fixed?.() ?? [], later)).toEqual([]);
});
