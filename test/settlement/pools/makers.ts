import { encodeAbiParameters, numberToHex, parseSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { FAR } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, type Hex, toAddress } from "../../../src/domain/address.ts";
import type { MakerOrder } from "../../../src/domain/maker-order.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { orderSettlementArtifact } from "../../../src/settlement/artifacts.ts";
import { settlementContracts } from "../../../src/settlement/contracts.ts";
import { makerOrderDigest } from "../../../src/settlement/maker-order-digest.ts";

export const CHAIN_ID = 31_337;
const STOCK = 100_000n * UNIT;
const plain = compiled("PlainToken").abi;
const wallet = compiled("MakerWallet");

export type Makers = Awaited<ReturnType<typeof withMakers>>;

/** The world with a maker by key, another one, and a maker that is a contract, all with stock and approvals. */
export async function withMakers(world: World) {
  const { node, owner, taker, weth } = world;
  const contracts = settlementContracts(weth);
  const [orders, executor] = [contracts.orders.address, contracts.executor.address];
  const key = privateKeyToAccount(`0x${"11".repeat(32)}`);
  const otherKey = privateKeyToAccount(`0x${"22".repeat(32)}`);
  const [maker, otherMaker] = [toAddress(key.address), toAddress(otherKey.address)];
  const contractMaker = await node.deploy(wallet, key.address);

  async function stock(account: Address): Promise<void> {
    await node.rpc("anvil_setBalance", account, numberToHex(100n * UNIT));
    await node.rpc("anvil_impersonateAccount", account);
    for (const token of [world.usd, world.dai, world.gem]) {
      await world.give(token, account, STOCK);
      await node.write(account, token, plain, "approve", orders, 2n ** 256n - 1n);
    }
  }
  for (const account of [maker, otherMaker, contractMaker]) await stock(account);

  let nonce = 0n;
  /** An order of the first maker for the world's taker, one to one; its nonce is of its own. */
  function orderOf(sellToken: Address, buyToken: Address, changes: Partial<MakerOrder> = {}): MakerOrder {
    return {
      ...{ maker, taker: executor, trader: taker, makerToken: buyToken, takerToken: sellToken },
      ...{ makerAmount: 1_000n * UNIT, takerAmount: 1_000n * UNIT, minTakerAmount: 0n },
      ...{ expiry: FAR, nonce: nonce++, refillable: false },
      ...changes,
    };
  }

  const sign = async (order: MakerOrder, by = key, chainId = CHAIN_ID, settlement = orders): Promise<Hex> =>
    by.sign({ hash: makerOrderDigest(order, chainId, settlement) });

  /** The owner's signature in the form that the contract maker reads, which no plain key's has. */
  async function signForContract(order: MakerOrder): Promise<Hex> {
    const { r, s, v } = parseSignature(await sign(order));
    return encodeAbiParameters([{ type: "bytes32" }, { type: "bytes32" }, { type: "uint8" }], [r, s, Number(v)]);
  }

  /** The world as it is when these orders are pools of it, each by a number of its own. */
  function worldWith(signed: readonly { readonly order: MakerOrder; readonly signature: Hex }[]) {
    const states = new Map<Address, Pool>(world.states);
    const ids = signed.map((_, i) => toAddress(`0x${"f0".repeat(19)}${(16 + i).toString(16)}`));
    for (const [i, { order, signature }] of signed.entries()) {
      const spot = { num: order.makerAmount, den: order.takerAmount };
      const state = { order, signature, settlement: orders, spot, filled: false };
      const tokens = [order.takerToken, order.makerToken];
      states.set(ids[i]!, { id: ids[i]!, source: "Test", tokens, curve: "signed-order", state });
    }
    const actionOf: World["actionOf"] = (fill) => {
      const found = signed[ids.indexOf(fill.poolId as Address)];
      return found === undefined ? world.actionOf(fill) : { action: "maker-order", settlement: orders, ...found };
    };
    return { world: { ...world, states, actionOf } as World, ids };
  }

  const read = <T>(name: string, ...args: readonly unknown[]) =>
    node.read<T>(orders, orderSettlementArtifact.abi, name, ...args);
  const write = (from: Address, name: string, ...args: readonly unknown[]) =>
    node.write(from, orders, orderSettlementArtifact.abi, name, ...args);

  // The first fill of a maker writes to empty slots: all later ones are cheaper.
  await world.give(world.usd, taker, UNIT);
  await node.write(owner, contractMaker, wallet.abi, "feel", 0);
  await world.keep();
  return {
    ...{ world, orders, executor, key, otherKey, maker, otherMaker, contractMaker },
    ...{ orderOf, sign, signForContract, worldWith, read, write },
  };
}
