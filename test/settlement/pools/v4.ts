import { encodeAbiParameters, type Hex, hexToBigInt, keccak256 } from "viem";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { ticksOf } from "../../../fixtures/settlement/ticks.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { poolIdOf } from "../../../src/venues/uniswap-v4/pool-key.ts";
import { slot0Of, slotsOf } from "../../../src/venues/uniswap-v4/slots.ts";
import { tradeOnce } from "../chain/trade-once.ts";
import { nested, openDesk } from "./concentrated.ts";

const managerArtifact = bundled("PoolManager");
const desk = compiled("DevnetV4Desk");
const FEE = 500;
const SPACING = 10;

/** The world with pools of Uniswap V4: usd and dai, dai and gem, native token and usd; all at price one, traded before. */
export async function withV4(world: World) {
  const { node, owner, usd, dai, gem, taker } = world;
  const manager = await node.deploy(managerArtifact, owner);
  const deskAt = await openDesk(world, desk, manager);
  await node.rpc("anvil_setBalance", deskAt, `0x${(10n ** 7n * UNIT).toString(16)}`);
  await node.rpc("anvil_setBalance", taker, `0x${(10n ** 6n * UNIT).toString(16)}`);
  const ranges = nested(600 * SPACING, 10 * SPACING);
  const tokensOf = new Map<string, readonly [Address, Address]>();
  const create = async (a: Address, b: Address) => {
    const currencies = [a === NATIVE_TOKEN ? ZERO_ADDRESS : a, b].sort() as [Address, Address];
    const key = {
      currency0: currencies[0],
      currency1: currencies[1],
      fee: FEE,
      tickSpacing: SPACING,
      hooks: ZERO_ADDRESS,
    };
    await node.write(owner, manager, managerArtifact.abi, "initialize", key, 1n << 96n);
    for (const { half, amount } of ranges) {
      await node.write(owner, deskAt, desk.abi, "modify", key, -half, half, amount);
    }
    const id = poolIdOf({ currencies, fee: FEE, tickSpacing: SPACING, hooks: ZERO_ADDRESS });
    tokensOf.set(id, [currencies[0] === ZERO_ADDRESS ? NATIVE_TOKEN : currencies[0], currencies[1]]);
    return id as Address;
  };
  const usdDai = await create(usd, dai);
  const daiGem = await create(dai, gem);
  const nativeUsd = await create(NATIVE_TOKEN, usd);
  const actionOf: World["actionOf"] = (fill) =>
    tokensOf.has(fill.poolId)
      ? { action: "v4-pool", manager, fee: FEE, tickSpacing: SPACING, hooks: ZERO_ADDRESS }
      : world.actionOf(fill);

  const ticks = ticksOf(ranges);
  const stateOf = async (id: string): Promise<Pool> => {
    const { slot0, liquidity } = slotsOf(id);
    const read = async (slot: Hex) => hexToBigInt(await node.rpc<Hex>("eth_call", extsload(manager, slot), "latest"));
    const state = {
      ...slot0Of(await read(slot0)),
      ...{ liquidity: await read(liquidity), tickSpacing: SPACING, ticks, key: { fee: FEE, hooks: ZERO_ADDRESS } },
    };
    return { id, source: "Test", tokens: tokensOf.get(id)!, curve: "concentrated", state };
  };
  const states = new Map<Address, Pool>(world.states);
  for (const id of [usdDai, daiGem, nativeUsd]) {
    await tradeOnce(world, id, tokensOf.get(id)!, actionOf);
    states.set(id, await stateOf(id));
  }
  await world.keep();
  /** A pool of usd and a token of a test's own, of which the owner has plenty. */
  const createWith = async (token: Address) => {
    await node.write(owner, token, compiled("PlainToken").abi, "approve", deskAt, 2n ** 256n - 1n);
    return create(token, usd);
  };
  return { world: { ...world, states, actionOf } as World, manager, usdDai, daiGem, nativeUsd, createWith };
}

function extsload(to: Address, slot: Hex) {
  const selector = keccak256(new TextEncoder().encode("extsload(bytes32)")).slice(0, 10);
  return { to, data: `${selector}${encodeAbiParameters([{ type: "bytes32" }], [slot]).slice(2)}` };
}
