import { compiled } from "../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, type Hex, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { fluid } from "../../../src/venues/fluid/source.ts";
import { evenWords, writeWords } from "../../venues/worlds/singletons/fluid.ts";

const layer = compiled("DevnetFluidLiquidity");
const maker = compiled("DevnetFluidFactory");
const YEARLY_RATE = 0xffffn;

/** The world with two pools of Fluid's kind, without interest: usd for dai, and the native token for usd, one for one. */
export async function withFluid(world: World) {
  const { node, owner, usd, dai } = world;
  const liquidity = await node.deploy(layer, owner);
  const factory = await node.deploy(maker, liquidity);
  await node.rpc("anvil_setBalance", liquidity, `0x${(1_000_000n * UNIT).toString(16)}`);
  for (const token of [usd, dai]) await world.give(token, liquidity, 1_000_000n * UNIT);
  const record = { protocol: "fluid", source: "Test", fromBlock: 0n, factory, liquidity, resolver: factory } as const;
  const source = fluid(record);
  const rpc = <T>(method: string, params: readonly unknown[] = []) => node.rpc<T>(method, ...params);
  const head = async (): Promise<BlockRef> => {
    const block = await rpc<Record<"hash" | "parentHash" | "number" | "timestamp", Hex>>("eth_getBlockByNumber", [
      ...["latest", false],
    ]);
    return { ...block, number: BigInt(block.number), timestamp: BigInt(block.timestamp) };
  };
  const reader: Pick<ChainReader, "calls"> = {
    calls: (calls) =>
      Promise.all(calls.map(({ to, data }) => rpc<Hex>("eth_call", [{ to, data }, "latest"]).catch(() => undefined))),
  };
  const states = new Map<Address, Pool>(world.states);
  const create = async (one: Address, other: Address) => {
    const tokens = one < other ? [one, other] : [other, one];
    await node.write(owner, factory, maker.abi, "deployDex", one, other);
    const total = await node.read<bigint>(factory, maker.abi, "totalDexes");
    const pool = toAddress(await node.read<string>(factory, maker.abi, "getDexAddress", total));
    const words = evenWords([18, 18], (await head()).timestamp);
    const still = words.tokens.map((each) => ({ ...each, price: each.price & ~YEARLY_RATE }));
    await writeWords({ rpc }, { record }, { pool, tokens }, { ...words, tokens: still });
    const [read] = await source.sync(
      reader as ChainReader,
      [{ id: pool, address: pool, tokens, terms: {} }],
      await head(),
    );
    if (read === undefined) throw new Error("the pool cannot be read");
    states.set(pool, read);
    return pool;
  };
  const usdDai = await create(usd, dai);
  const nativeUsd = await create(NATIVE_TOKEN, usd);
  const actionOf: World["actionOf"] = (fill) => {
    const pool = states.get(fill.poolId as Address);
    return pool?.curve === "fluid"
      ? (source.action(pool, fill) as ReturnType<World["actionOf"]>)
      : world.actionOf(fill);
  };
  await world.keep();
  return { world: { ...world, states, actionOf } as World, usdDai, nativeUsd, liquidity };
}
