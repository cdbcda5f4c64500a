import { encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi } from "viem";
import type { Provider } from "../../src/chain/rpc/provider.ts";
import { RpcError } from "../../src/chain/rpc/provider-errors.ts";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import type { Pool } from "../../src/pools/pool.ts";
import type { TestDevnet } from "../support/worlds/devnet.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../support/worlds/swap-world.ts";

/** What the node of a cold world does when it is asked to simulate: all, all but eth_simulateV1, or nothing of the kind. */
export type NodeKind = "simulating" | "estimating" | "neither";

export interface ColdWorld extends SwapWorld {
  readonly snapshot: Snapshot;
  /** Sends the sold token: holds some of that one, has approved exactly that, and has nothing of any other. */
  sellerOf(token: Address): Address;
  /** Base units that the seller of a token has of it. */
  heldOf(token: Address): bigint;
  /** From now on. */
  setNode(kind: NodeKind): void;
}

const REFUSED: { readonly [K in NodeKind]: readonly string[] } = {
  simulating: [],
  estimating: ["eth_simulateV1"],
  neither: ["eth_simulateV1", "eth_estimateGas"],
};
const NATIVE_HELD = 10n ** 30n;
/** Where Uniswap V2's pairs keep the sums of prices. */
const PAIR_SLOTS = [9n, 10n];
/** Where Uniswap V3's pools keep the growth of fees and the protocol's, their ticks, and a tick the growth outside. */
const POOL_SLOTS = [1n, 2n, 3n];
const TICKS_SLOT = 5n;
const TICK_SLOTS = [1n, 2n];

/**
 * A devnet where everything is cold: pairs and pools of Uniswap's kind as before their first swap, with the protocol's part
 * of the fee switched on, and sellers that are new to whatever they buy.
 */
export async function startColdWorld(): Promise<ColdWorld> {
  let refused = REFUSED.simulating;
  const node = (inner: Provider): Provider => ({
    ...inner,
    async request(method, params, options) {
      if (refused.includes(method)) throw new RpcError(-32601, `the method ${method} does not exist`);
      return inner.request(method, params, options);
    },
  });
  const world = await startSwapWorld({ node });
  const { devnet, settlement } = world;
  const held = new Map<Address, bigint>([[NATIVE_TOKEN, NATIVE_HELD / 2n]]);
  const sellers = new Map<Address, Address>();
  for (const [index, token] of [NATIVE_TOKEN, ...devnet.tokens.map(({ address }) => address)].entries()) {
    const seller = testAccount(100 + index);
    sellers.set(token, seller);
    await devnet.rpc("anvil_setBalance", [seller, numberToHex(NATIVE_HELD)]);
    if (token === NATIVE_TOKEN) continue;
    const amount = (await devnet.balanceOf(token, devnet.whale)) / 4n;
    held.set(token, amount);
    await devnet.fund(token, seller, amount);
    await devnet.approve(token, seller, settlement.allowanceTarget, amount);
  }
  for (const pool of (await world.follow()).graph.all()) await cool(devnet, pool);
  await devnet.mine();
  const snapshot = await world.follow();
  return {
    ...world,
    snapshot,
    sellerOf: (token) => sellers.get(token)!,
    heldOf: (token) => held.get(token)!,
    setNode: (kind) => {
      refused = REFUSED[kind];
    },
  };
}

/** Forgets what a pool's trades have written. */
async function cool(devnet: TestDevnet, { id, curve, source, state }: Pool): Promise<void> {
  const forget = (slot: bigint) =>
    devnet.rpc("anvil_setStorageAt", [id, numberToHex(slot, { size: 32 }), numberToHex(0, { size: 32 })]);
  if (curve === "constant-product") for (const slot of PAIR_SLOTS) await forget(slot);
  if (curve !== "concentrated" || source !== "Uniswap_V3") return;
  for (const slot of POOL_SLOTS) await forget(slot);
  for (const { index } of state.ticks) {
    const words: Hex = `0x${[BigInt.asUintN(256, BigInt(index)), TICKS_SLOT].map((word) => word.toString(16).padStart(64, "0")).join("")}`;
    for (const slot of TICK_SLOTS) await forget(BigInt(keccak256(words)) + slot);
  }
  const abi = parseAbi(["function setFeeProtocol(uint8, uint8)"]);
  const data = encodeFunctionData({ abi, functionName: "setFeeProtocol", args: [4, 4] });
  const { succeeded } = await devnet.sendTransaction(devnet.whale, { to: id as Address, data });
  if (!succeeded) throw new Error(`the protocol's part of the fee of ${id} could not be switched on`);
}
