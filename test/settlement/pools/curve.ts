import { getContractAddress } from "viem";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { Fill } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { StableswapState } from "../../../src/pools/stableswap/state.ts";
import type { VaultState } from "../../../src/pools/vault/state.ts";
import { tradeOnce } from "../chain/trade-once.ts";

const pool = compiled("DevnetStableswap");
const vault = compiled("DevnetVault");

/**
 * The world with an old stableswap pool of usd, dai and gem, one of NG of dai and gem, and a vault of gem whose shares are
 * worth 1.1 of it; each traded before.
 */
export async function withCurve(world: World) {
  const { node, owner, taker, usd, dai, gem, give } = world;
  const shareToken = compiled("DevnetShares").abi;
  const ofTaker = async (token: Address) => {
    await node.write(owner, token, shareToken, "transfer", taker, 1_000n * UNIT);
    await node.write(taker, token, shareToken, "approve", world.settlement.allowanceTarget, 2n ** 256n - 1n);
  };
  const deploy = async (ng: boolean, coins: readonly Address[]) => {
    const address = await node.deploy(pool, ng, owner, coins, 200n, 4_000_000n, ng ? 2n * 10n ** 10n : 0n, "crvTEST");
    for (const [i, coin] of coins.entries()) await give(coin, address, BigInt(100_000 - 7_000 * i) * UNIT);
    await node.write(owner, address, pool.abi, "add");
    return address;
  };
  const coinsOf = new Map<Address, readonly Address[]>();
  const old = await deploy(false, [usd, dai, gem]);
  coinsOf.set(old, [usd, dai, gem]);
  const ng = await deploy(true, [gem, dai]);
  coinsOf.set(ng, [gem, dai]);
  /** Share token of the older pool, a token of its own. */
  const oldShare = toAddress(getContractAddress({ from: old, nonce: 1n }));
  const shareOf = new Map([
    [old, oldShare],
    [ng, ng],
  ]);
  for (const share of shareOf.values()) await ofTaker(share);

  const shares = await node.deploy(vault, gem, "Vault", "vGEM", 0);
  await give(gem, owner, 1_000n * UNIT);
  const plain = compiled("PlainToken").abi;
  await node.write(owner, gem, plain, "approve", shares, 10n ** 30n);
  await node.write(owner, shares, vault.abi, "deposit", 1_000n * UNIT, owner);
  await give(gem, shares, 100n * UNIT + 7n);
  await node.write(owner, shares, vault.abi, "transfer", taker, 500n * UNIT);
  await node.write(taker, shares, vault.abi, "approve", world.settlement.allowanceTarget, 2n ** 256n - 1n);

  const actionOf: World["actionOf"] = (fill: Fill) => {
    const address = toAddress(fill.poolId);
    const coins = coinsOf.get(address);
    if (address === shares) return { action: "erc4626-vault", vault: shares };
    if (coins === undefined) return world.actionOf(fill);
    const [sell, buy] = [coins.indexOf(fill.sellToken), coins.indexOf(fill.buyToken)];
    const amounts = address === ng ? "list" : "array";
    if (buy < 0) return { action: "curve-add", pool: address, coin: sell, coins: coins.length, amounts };
    if (sell < 0) return { action: "curve-remove", pool: address, coin: buy };
    return { action: "curve-pool", pool: address, sell, buy };
  };
  await tradeOnce(world, old, [usd, dai], actionOf);
  await tradeOnce(world, old, [dai, gem], actionOf);
  await tradeOnce(world, ng, [gem, dai], actionOf);
  for (const [pool, share] of shareOf) await tradeOnce(world, pool, [dai, share], actionOf);
  await tradeOnce(world, shares, [gem, shares], actionOf);

  const states = new Map<Address, Pool>(world.states);
  for (const [address, tokens] of coinsOf) {
    const balances: bigint[] = [];
    for (let i = 0; i < tokens.length; i++) balances.push(await node.read<bigint>(address, pool.abi, "balances", i));
    const state: StableswapState = {
      ...{ balances, rates: tokens.map(() => UNIT), initialA: 20_000n, futureA: 20_000n, initialATime: 0n },
      ...{ futureATime: 0n, aPrecision: 100n, fee: 4_000_000n, adminFee: 5n * 10n ** 9n, killed: false },
      totalSupply: await node.read<bigint>(shareOf.get(address) as Address, shareToken, "totalSupply"),
      ...(address === ng ? { generation: "ng", offpegFeeMultiplier: 2n * 10n ** 10n } : { generation: "old" }),
    };
    const all = [...tokens, shareOf.get(address) as Address];
    states.set(address, { id: address, source: "Test", tokens: all, curve: "stableswap", state });
  }
  const state: VaultState = {
    totalAssets: await node.read<bigint>(shares, vault.abi, "totalAssets"),
    totalSupply: await node.read<bigint>(shares, vault.abi, "totalSupply"),
    ...{ virtualShares: 1n, maxDeposit: 2n ** 256n - 1n },
  };
  states.set(shares, { id: shares, source: "Test", tokens: [gem, shares], curve: "vault", state });
  await world.keep();
  return { world: { ...world, states, actionOf } as World, old, ng, oldShare, shares };
}
