import type { Abi, Hex } from "viem";
import { type Artifact, compiled } from "../../../fixtures/settlement/node.ts";
import { ticksOf } from "../../../fixtures/settlement/ticks.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { ConcentratedState, Tick } from "../../../src/pools/concentrated/state.ts";
import type { EkuboState } from "../../../src/pools/ekubo/state.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { AnyAction } from "../../../src/venues/index.ts";
import { readSlots, slot0Of, slotsOf, wordsOf } from "../../../src/venues/uniswap-v4/slots.ts";
import { tradeOnce } from "../chain/trade-once.ts";
import { nested, openDesk } from "./concentrated.ts";

export const FEE = 500;
export const SPACING = 10;

type Key = Readonly<Record<string, unknown>>;
type Curve =
  | { readonly curve: "concentrated"; readonly state: ConcentratedState }
  | { readonly curve: "ekubo"; readonly state: EkuboState };

/** A contract with all pools of a venue in it, on a chain. */
export interface Singleton {
  readonly manager: Address;
  readonly desk: Artifact;
  readonly spacing: number;
  /** Key of a pool of two currencies, without hooks. */
  keyOf(currencies: readonly [Address, Address]): Key;
  idOf(currencies: readonly [Address, Address]): string;
  /** Creates a pool at price one. */
  create(key: Key): Promise<unknown>;
  stateOf(id: string, ticks: readonly Tick[]): Promise<Curve>;
  readonly action: AnyAction;
}

/** Creates and reads pools of a manager of Uniswap V4's kind, with FEE and SPACING. */
export function ofManager(
  { node, owner }: World,
  contract: { readonly manager: Address; readonly abi: Abi; readonly poolsSlot: bigint },
  terms: Pick<ConcentratedState, "key" | "family">,
): Pick<Singleton, "manager" | "spacing" | "create" | "stateOf"> {
  const { manager, abi, poolsSlot } = contract;
  return {
    ...{ manager, spacing: SPACING },
    create: (key) => node.write(owner, manager, abi, "initialize", key, 1n << 96n),
    async stateOf(id, ticks) {
      const slots = slotsOf(id, poolsSlot);
      const answer = await node.rpc<Hex>("eth_call", readSlots(manager, [slots.slot0, slots.liquidity]), "latest");
      const [slot0, liquidity] = wordsOf(answer, 2) as [bigint, bigint];
      const state = { ...slot0Of(slot0), liquidity, tickSpacing: SPACING, ticks, ...terms };
      return { curve: "concentrated", state };
    },
  };
}

/** The world with pools of a singleton: usd and dai, dai and gem, native token and usd; all at price one, traded before. */
export async function withSingleton(world: World, singleton: Singleton) {
  const { node, owner, usd, dai, gem, taker } = world;
  const { manager, desk, spacing, keyOf, idOf } = singleton;
  const deskAt = await openDesk(world, desk, manager);
  await node.rpc("anvil_setBalance", deskAt, `0x${(10n ** 7n * UNIT).toString(16)}`);
  await node.rpc("anvil_setBalance", taker, `0x${(10n ** 6n * UNIT).toString(16)}`);
  const ranges = nested(600 * spacing, 10 * spacing);
  const tokensOf = new Map<string, readonly [Address, Address]>();
  const create = async (a: Address, b: Address) => {
    const currencies = [a === NATIVE_TOKEN ? ZERO_ADDRESS : a, b].sort() as [Address, Address];
    const key = keyOf(currencies);
    await singleton.create(key);
    for (const { half, amount } of ranges) {
      await node.write(owner, deskAt, desk.abi, "modify", key, -half, half, amount);
    }
    const id = idOf(currencies);
    tokensOf.set(id, [currencies[0] === ZERO_ADDRESS ? NATIVE_TOKEN : currencies[0], currencies[1]]);
    return id as Address;
  };
  const usdDai = await create(usd, dai);
  const daiGem = await create(dai, gem);
  const nativeUsd = await create(NATIVE_TOKEN, usd);
  const actionOf: World["actionOf"] = (fill) => (tokensOf.has(fill.poolId) ? singleton.action : world.actionOf(fill));

  const states = new Map<Address, Pool>(world.states);
  for (const id of [usdDai, daiGem, nativeUsd]) {
    await tradeOnce(world, id, tokensOf.get(id)!, actionOf);
    const read = await singleton.stateOf(id, ticksOf(ranges));
    states.set(id, { id, source: "Test", tokens: tokensOf.get(id)!, ...read });
  }
  await world.keep();
  /** A pool of usd and a token of a test's own, of which the owner has plenty. */
  const createWith = async (token: Address) => {
    await node.write(owner, token, compiled("PlainToken").abi, "approve", deskAt, 2n ** 256n - 1n);
    return create(token, usd);
  };
  return { world: { ...world, states, actionOf } as World, manager, usdDai, daiGem, nativeUsd, createWith };
}
