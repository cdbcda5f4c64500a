import { compiled } from "../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { MIDDLE_BIN, packed } from "../../venues/worlds/bins.ts";
import { tradeOnce } from "../chain/trade-once.ts";

const factory = compiled("DevnetBinFactory");
const pair = compiled("DevnetBinPair");
const BIN_STEP = 20;
const BINS = 20;
/** Bin in which a base unit of X is worth about four of Y: an exact output of a few Y brings more. */
const FOUR_FOR_ONE = MIDDLE_BIN + 700;
/** A fee that is the same at any time, so that routes need no time. */
const TERMS = {
  ...{ baseFactor: 10_000, filterPeriod: 30, decayPeriod: 600, reductionFactor: 5_000 },
  ...{ variableFeeControl: 0, protocolShare: 1_000, maxVolatilityAccumulator: 350_000 },
};

/** The world with a pair of bins of usd and dai at one to one and one of gem and dai at four, both traded before; the first token is X. */
export async function withLiquidityBook(world: World) {
  const { node, owner, usd, dai, gem } = world;
  const at = await node.deploy(factory, owner, true);
  await node.write(owner, at, factory.abi, "setPreset", BIN_STEP, TERMS);
  const create = async (x: Address, y: Address, middle: number) => {
    await node.write(owner, at, factory.abi, "createLBPair", x, y, middle, BIN_STEP);
    const made = await node.read<{ pair: string }>(at, factory.abi, "getLBPairInformation", x, y, BigInt(BIN_STEP));
    const address = toAddress(made.pair);
    for (const token of [x, y]) await world.give(token, address, 100n * UNIT * BigInt(BINS + 1));
    const ids = Array.from({ length: 2 * BINS + 1 }, (_, i) => middle - BINS + i);
    const amounts = ids.map((id) => packed({ x: id >= middle ? 100n * UNIT : 0n, y: id <= middle ? 100n * UNIT : 0n }));
    await node.write(owner, address, pair.abi, "deposit", ids.map(BigInt), amounts);
    return address;
  };
  const first = await create(usd, dai, MIDDLE_BIN);
  const second = await create(gem, dai, FOUR_FOR_ONE);
  const xOf = new Map<string, Address>([
    [first, usd],
    [second, gem],
  ]);
  const actionOf: World["actionOf"] = (fill) => {
    const tokenX = xOf.get(fill.poolId);
    return tokenX ? { action: "lb-pair", pair: toAddress(fill.poolId), tokenX } : world.actionOf(fill);
  };

  const states = new Map<Address, Pool>(world.states);
  for (const [address, x, middle] of [
    [first, usd, MIDDLE_BIN],
    [second, gem, FOUR_FOR_ONE],
  ] as const) {
    await tradeOnce(world, address, [x, dai], actionOf);
    const activeId = await node.read<number>(address, pair.abi, "getActiveId");
    const bins = [];
    for (let id = middle - BINS; id <= middle + BINS; id++) {
      const [reserveX, reserveY] = await node.read<[bigint, bigint]>(address, pair.abi, "getBin", id);
      bins.push({ id, reserveX, reserveY });
    }
    const moves = { volatilityAccumulator: 0, volatilityReference: 0, idReference: activeId, timeOfLastUpdate: 0n };
    const state = { binStep: BIN_STEP, activeId, bins, fee: { ...TERMS, ...moves } };
    states.set(address, { id: address, source: "Test", tokens: [x, dai], curve: "bins", state });
  }
  await world.keep();
  return { world: { ...world, states, actionOf } as World, factory: at, first, second };
}
