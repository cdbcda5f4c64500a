import { encodeFunctionData, type Hex } from "viem";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";

const factoryArtifact = bundled("UniswapV2Factory");
const pancakeArtifact = bundled("PancakeFactory");
const routerArtifact = bundled("UniswapV2Router02");
const weth = bundled("WETH9");

export const pairAbi = bundled("UniswapV2Pair").abi;
export const routerAbi = routerArtifact.abi;
export const wethAbi = weth.abi;
/** Long after every block of a test. */
const DEADLINE = 1n << 40n;

/** A factory of pairs; the Uniswap one has a router too. */
export interface V2World {
  readonly factory: Address;
  readonly router: Address;
  createPair(tokens: readonly [Address, Address]): Promise<Address>;
}

/** Deploys Uniswap V2, or PancakeSwap's first version of it (fee 2 of 1,000, no router of its own). */
export async function deployV2(anvil: Anvil, kind: "uniswap" | "pancake"): Promise<V2World> {
  const artifact = kind === "uniswap" ? factoryArtifact : pancakeArtifact;
  const factory = await anvil.deploy(artifact.abi, artifact.bytecode, [anvil.account]);
  const native = await anvil.deploy(weth.abi, weth.bytecode);
  const router = await anvil.deploy(routerArtifact.abi, routerArtifact.bytecode, [factory, native]);
  return {
    factory,
    router,
    async createPair(tokens) {
      await anvil.send(factory, encodeFunctionData({ abi: artifact.abi, functionName: "createPair", args: tokens }));
      await anvil.mine();
      return toAddress(await anvil.read<string>(factory, artifact.abi, "getPair", tokens));
    },
  };
}

/** Queues a call of the router with recipient and deadline at its end. */
export function callRouter(
  anvil: Anvil,
  router: Address,
  functionName: string,
  args: readonly unknown[],
): Promise<Hex> {
  const all = [...args, anvil.account, DEADLINE];
  return anvil.send(router, encodeFunctionData({ abi: routerAbi, functionName, args: all }));
}

/** Queues a plain transfer. */
export function transfer(anvil: Anvil, token: Address, to: Address, amount: bigint): Promise<Hex> {
  return anvil.send(token, encodeFunctionData({ abi: wethAbi, functionName: "transfer", args: [to, amount] }));
}
