import { encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi } from "viem";
import type { Provider } from "../../src/chain/rpc/provider.ts";
import { RpcError } from "../../src/chain/rpc/provider-errors.ts";
import { createJsonRpc } from "../../src/devnet/node/json-rpc.ts";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import type { Pool } from "../../src/pools/pool.ts";
import type { TestDevnet } from "../support/worlds/devnet.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../support/worlds/swap-world.ts";

/** Simulation support of a cold world's node: all methods, all but eth_simulateV1, or none. */
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
/** Storage slots of Uniswap V2's cumulative prices. */
const PAIR_SLOTS = [9n, 10n];
/** Storage slots of Uniswap V3's fee growth, protocol fees and ticks, and offsets of a tick's growth outside. */
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
  const tokens = devnet.tokens.map(({ address }) => address);
  for (const [index, token] of [NATIVE_TOKEN, ...tokens].entries()) {
    const seller = testAccount(100 + index);
    sellers.set(token, seller);
    await devnet.rpc("anvil_setBalance", [seller, numberToHex(NATIVE_HELD)]);
  }
  const left = await devnet.balancesOf(tokens.map((token) => ({ token, account: devnet.whale })));
  const holdings = tokens.map((token, index) => ({ token, account: sellers.get(token)!, amount: left[index]! / 4n }));
  for (const { token, amount } of holdings) held.set(token, amount);
  await devnet.fundAll(holdings);
  await devnet.approveAll(holdings, settlement.allowanceTarget);
  await cool(devnet, (await world.follow()).graph.all());
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

/** Forgets what the trades of pools have written. */
async function cool(devnet: TestDevnet, pools: readonly Pool[]): Promise<void> {
  const word = (value: bigint) => numberToHex(value, { size: 32 });
  const written = pools.flatMap((pool) => writtenSlots(pool).map((slot) => [pool.id, word(slot), word(0n)]));
  await createJsonRpc(devnet.rpcUrl).batch(written.map((params) => ({ method: "anvil_setStorageAt", params })));
  const abi = parseAbi(["function setFeeProtocol(uint8, uint8)"]);
  const data = encodeFunctionData({ abi, functionName: "setFeeProtocol", args: [4, 4] });
  const owned = pools.filter(isUniswapV3);
  const receipts = await devnet.sendTogether(owned.map(({ id }) => ({ from: devnet.whale, to: id as Address, data })));
  const failed = owned.filter((_, index) => !receipts[index]!.succeeded).map(({ id }) => id);
  if (failed.length > 0) throw new Error(`the protocol's part of the fee could not be switched on: ${failed}`);
}

const isUniswapV3 = ({ curve, source }: Pool) => curve === "concentrated" && source === "Uniswap_V3";

/** Storage slots of a pool that only trades write. */
function writtenSlots({ curve, source, state }: Pool): readonly bigint[] {
  if (curve === "constant-product") return PAIR_SLOTS;
  if (curve !== "concentrated" || source !== "Uniswap_V3") return [];
  return [
    ...POOL_SLOTS,
    ...state.ticks.flatMap(({ index }) => {
      const words: Hex = `0x${[BigInt.asUintN(256, BigInt(index)), TICKS_SLOT].map((word) => word.toString(16).padStart(64, "0")).join("")}`;
      return TICK_SLOTS.map((slot) => BigInt(keccak256(words)) + slot);
    }),
  ];
}
