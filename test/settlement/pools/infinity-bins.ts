import { encodeFunctionData, type Hex, numberToHex } from "viem";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import type { PoolRef } from "../../../src/market/liquidity-source.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { infinityBin } from "../../../src/venues/infinity-bin/source.ts";
import { poolIdOf } from "../../../src/venues/infinity-cl/pool-key.ts";
import { tokenOf } from "../../../src/venues/uniswap-v4/pool-key.ts";
import { MIDDLE_BIN, packed } from "../../venues/worlds/bins.ts";
import { tradeOnce } from "../chain/trade-once.ts";
import { openDesk } from "./concentrated.ts";
import { HOOKED } from "./infinity.ts";

const FEE = 500;
const BIN_STEP = 5;
/** Bins on either side of the active one, and how much of a token each has. */
const BINS = 30;
const IN_BIN = 600n * UNIT;

/** The reader reads the newest block, whatever it is asked for. */
const NEWEST: BlockRef = { number: 0n, hash: "0x00", parentHash: "0x00", timestamp: 0n };

const managerArtifact = compiled("DevnetBinManager");
const desk = compiled("DevnetBinDesk");
/** Terms of all keys. */
export const BIN_TERMS = { fee: FEE, binStep: BIN_STEP, ...HOOKED };

/** The world with pools of bins of PancakeSwap Infinity, in a BinPoolManager of a new Vault's or of `vault`. */
export async function withInfinityBins(world: World, vault?: Hex) {
  const { node, owner, usd, dai, gem, taker } = world;
  const held = vault ?? (await node.deploy(compiled("DevnetInfinityVault")));
  const manager = await node.deploy(managerArtifact, held, owner);
  const source = infinityBin({ protocol: "infinity-bin", source: "Test", factory: manager, fromBlock: 0n });
  const deskAt = await openDesk(world, desk, manager);
  await node.rpc("anvil_setBalance", deskAt, `0x${(10n ** 7n * UNIT).toString(16)}`);
  await node.rpc("anvil_setBalance", taker, `0x${(10n ** 6n * UNIT).toString(16)}`);
  const parameters = numberToHex((BIN_STEP << 16) | HOOKED.registration, { size: 32 });
  const refs = new Map<string, PoolRef>();
  const call = (functionName: string, ...args: readonly unknown[]) =>
    encodeFunctionData({ abi: managerArtifact.abi, functionName, args });

  const create = async (a: Address, b: Address) => {
    const currencies = [a === NATIVE_TOKEN ? ZERO_ADDRESS : a, b].sort() as [Address, Address];
    const [currency0, currency1] = currencies;
    const key = { currency0, currency1, hooks: HOOKED.hooks, poolManager: manager, fee: FEE, parameters };
    await node.write(owner, manager, managerArtifact.abi, "initialize", key, MIDDLE_BIN);
    const ids = Array.from({ length: 2 * BINS + 1 }, (_, index) => MIDDLE_BIN - BINS + index);
    const amounts = ids.map((id) => packed({ x: id >= MIDDLE_BIN ? IN_BIN : 0n, y: id <= MIDDLE_BIN ? IN_BIN : 0n }));
    await node.write(owner, deskAt, desk.abi, "run", ...currencies, call("mint", key, ids.map(BigInt), amounts));
    const id = poolIdOf({ currencies, manager, fee: FEE, tickSpacing: BIN_STEP, ...HOOKED });
    const terms = {
      ...{ currency0, currency1, fee: String(FEE), hooks: HOOKED.hooks },
      ...{ binStep: String(BIN_STEP), registration: String(HOOKED.registration) },
    };
    refs.set(id, { id, address: manager, tokens: currencies.map(tokenOf), terms });
    return id as Address;
  };
  const usdDai = await create(usd, dai);
  const daiGem = await create(dai, gem);
  const nativeUsd = await create(NATIVE_TOKEN, usd);
  const action = { action: "infinity-bin-pool", manager, ...BIN_TERMS } as const;
  const actionOf: World["actionOf"] = (fill) => (refs.has(fill.poolId) ? action : world.actionOf(fill));

  const reader: ChainReader = {
    calls: (calls) =>
      Promise.all(
        calls.map(({ to, data }) => node.rpc<Hex>("eth_call", { to, data }, "latest").catch(() => undefined)),
      ),
    logs: () => Promise.reject(new Error("no logs here")),
  };
  const stateOf = async (id: string): Promise<Pool> => {
    const ref = refs.get(id);
    const [pool] = ref === undefined ? [] : await source.sync(reader, [ref], NEWEST);
    if (pool === undefined) throw new Error(`${id} cannot be read`);
    return pool;
  };
  const states = new Map<Address, Pool>(world.states);
  for (const id of [usdDai, daiGem, nativeUsd]) {
    await tradeOnce(world, id, (refs.get(id) as PoolRef).tokens as readonly [Address, Address], actionOf);
    states.set(id, await stateOf(id));
  }
  await world.keep();
  /** A pool of usd and a token of a test's own, of which the owner has plenty. */
  const createWith = async (token: Address) => {
    await node.write(owner, token, compiled("PlainToken").abi, "approve", deskAt, 2n ** 256n - 1n);
    return create(token, usd);
  };
  const made = { world: { ...world, states, actionOf } as World, manager, usdDai, daiGem, nativeUsd, createWith };
  return { ...made, vault: held };
}
