import { compiled } from "../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { pancakeStableState } from "../../venues/worlds/curve/pancake-stableswap.ts";
import { tradeOnce } from "../chain/trade-once.ts";

const pool = compiled("DevnetPancakeStableswap");
const TERMS = { kind: "lista", precision: 100n, decimals: [18, 18], a: 200n, fee: 4_000_000n } as const;

/** The world with two pools of Lista's kind, each traded before: usd and dai, and the native token and usd. */
export async function withPancakeStable(world: World) {
  const { node, owner, usd, dai } = world;
  const states = new Map<Address, Pool>(world.states);
  const create = async (one: Address, other: Address) => {
    const tokens: readonly [Address, Address] = one < other ? [one, other] : [other, one];
    const address = await node.deploy(pool, true, TERMS.precision, tokens, TERMS.a, TERMS.fee);
    for (const [i, token] of tokens.entries()) {
      const amount = BigInt(100_000 - 3_000 * i) * UNIT;
      if (token === NATIVE_TOKEN) await node.rpc("anvil_setBalance", address, `0x${amount.toString(16)}`);
      else await world.give(token, address, amount);
    }
    await node.write(owner, address, pool.abi, "add");
    states.set(address, {
      id: address,
      source: "Test",
      tokens,
      curve: "stableswap",
      state: pancakeStableState(TERMS, [], ...ONES),
    });
    await tradeOnce(world, address, tokens, actionOf);
    const balances = await Promise.all([0, 1].map((i) => node.read<bigint>(address, pool.abi, "balances", i)));
    const state = pancakeStableState(TERMS, balances, ...ONES);
    states.set(address, { id: address, source: "Test", tokens, curve: "stableswap", state });
    return address;
  };
  const actionOf: World["actionOf"] = (fill) => {
    const found = states.get(fill.poolId as Address);
    if (found?.curve !== "stableswap") return world.actionOf(fill);
    const [sell, buy] = [found.tokens.indexOf(fill.sellToken), found.tokens.indexOf(fill.buyToken)];
    return { action: "curve-crypto-pool", pool: found.id as Address, sell, buy };
  };
  const usdDai = await create(usd, dai);
  const nativeUsd = await create(NATIVE_TOKEN, usd);
  await world.keep();
  return { world: { ...world, states, actionOf } as World, usdDai, nativeUsd };
}

/** Prices and thresholds of a new pool. */
const ONES = [
  [UNIT, UNIT],
  [UNIT, UNIT],
] as const;
