import { compiled } from "../../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../../fixtures/settlement/venues.ts";
import { type Address, type Hex, NATIVE_TOKEN, toAddress, ZERO_ADDRESS } from "../../../../src/domain/address.ts";
import type { BlockRef } from "../../../../src/domain/block.ts";
import type { ChainReader } from "../../../../src/market/chain-reader.ts";
import type { Pool } from "../../../../src/pools/pool.ts";
import { kuru } from "../../../../src/venues/kuru/source.ts";
import { refOf } from "../../../venues/worlds/singletons/kuru.ts";

/** Parts of a whole token that sizes and prices are counted in. */
const [SIZES, PRICES] = [10n ** 10n, 10n ** 8n];
const WAD = 10n ** 18n;
const [TAKER_FEE, SPREAD] = [5n, 30n];
const MOST_SIZE = (1n << 96n) - 1n;
/** Orders of 500 tokens, a thousandth apart. */
const [LEVELS, SIZE, STEP] = [8n, 500n * SIZES, PRICES / 1_000n];

/** The world with two markets of Kuru's kind, of usd in dai and of the native token in usd, each with a vault. */
export async function withKuruMarkets(world: World) {
  const { node, owner, usd, dai } = world;
  const [router, maker] = [compiled("DevnetKuruRouter"), compiled("DevnetKuruMarket")];
  const at = await node.deploy(router);
  const account = toAddress(await node.read<string>(at, router.abi, "marginAccountAddress"));
  await node.rpc("anvil_setBalance", account, `0x${(1_000_000n * UNIT).toString(16)}`);
  for (const token of [usd, dai]) await world.give(token, account, 1_000_000n * UNIT);
  const record = { protocol: "kuru", source: "Test", fromBlock: 0n, router: at, marginAccount: account } as const;
  const source = kuru(record);
  const rpc = <T>(method: string, params: readonly unknown[] = []) => node.rpc<T>(method, ...params);
  const reader: Pick<ChainReader, "calls"> = {
    calls: (calls) =>
      Promise.all(calls.map(({ to, data }) => rpc<Hex>("eth_call", [{ to, data }, "latest"]).catch(() => undefined))),
  };
  const states = new Map<Address, Pool>(world.states);
  const create = async (base: Address, quote: Address) => {
    const asset = base === NATIVE_TOKEN ? ZERO_ADDRESS : base;
    const terms = [base === NATIVE_TOKEN ? 1 : 0, asset, quote, SIZES, PRICES, 1, 1, MOST_SIZE, TAKER_FEE, 0, SPREAD];
    const market = toAddress(await node.read<string>(at, router.abi, "deployProxy", ...terms));
    await node.write(owner, at, router.abi, "deployProxy", ...terms);
    for (let level = 1n; level <= LEVELS; level++) {
      await node.write(owner, market, maker.abi, "addSellOrder", PRICES + level * STEP, SIZE, false);
      await node.write(owner, market, maker.abi, "addBuyOrder", PRICES - level * STEP, SIZE, false);
    }
    const [ask, bid] = [(WAD * 1_001n) / 1_000n + 7n, (WAD * 9_980n) / 10_000n + 3n];
    await node.write(owner, market, maker.abi, "updateVaultOrdSz", 300n * SIZES, 301n * SIZES, ask, bid, false);
    const head = { hash: ZERO_ADDRESS, parentHash: ZERO_ADDRESS, number: 0n, timestamp: 0n } as BlockRef;
    const [read] = await source.sync(reader as ChainReader, [refOf(market, [base, quote])], head);
    if (read === undefined) throw new Error("the market cannot be read");
    states.set(market, read);
    return market;
  };
  const usdDai = await create(usd, dai);
  const nativeUsd = await create(NATIVE_TOKEN, usd);
  const actionOf: World["actionOf"] = (fill) => {
    const pool = states.get(fill.poolId as Address);
    return pool?.curve === "kuru" ? (source.action(pool, fill) as ReturnType<World["actionOf"]>) : world.actionOf(fill);
  };
  await world.keep();
  return { world: { ...world, states, actionOf } as World, usdDai, nativeUsd, account };
}
