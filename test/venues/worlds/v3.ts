import { concat, encodeFunctionData, type Hex, keccak256, numberToHex, pad } from "viem";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";

const factoryArtifact = bundled("UniswapV3Factory");
const poolArtifact = bundled("UniswapV3Pool");
const managerArtifact = bundled("NonfungiblePositionManager");
const routerArtifact = bundled("SwapRouter");
const quoterArtifact = bundled("QuoterV2");
const weth = bundled("WETH9");

const poolAbi = poolArtifact.abi;
export const quoterAbi = quoterArtifact.abi;
/** Long after every block of a test. */
const DEADLINE = 1n << 40n;

/** Tokens of a pair, in address order. Both are WETH9 contracts: real code, and amounts without end. */
export async function deployTokens(anvil: Anvil, spenders: readonly Address[]): Promise<readonly [Address, Address]> {
  const tokens = [await anvil.deploy(weth.abi, weth.bytecode), await anvil.deploy(weth.abi, weth.bytecode)].sort();
  for (const token of tokens) {
    await anvil.rpc("anvil_setStorageAt", [token, balanceSlot(anvil.account), numberToHex(1n << 240n, { size: 32 })]);
    for (const spender of spenders) {
      const args = [spender, (1n << 256n) - 1n];
      await anvil.send(token, encodeFunctionData({ abi: weth.abi, functionName: "approve", args }));
    }
  }
  await anvil.mine();
  return tokens as [Address, Address];
}

/** Storage slot of a holder's balance in WETH9. */
export function balanceSlot(holder: Address): Hex {
  return keccak256(concat([pad(holder), pad("0x3")]));
}

/** Uniswap V3 as its makers compiled it. */
export interface V3World {
  readonly factory: Address;
  readonly manager: Address;
  readonly router: Address;
  readonly quoter: Address;
  createPool(tokens: readonly [Address, Address], fee: number): Promise<Address>;
  /** Queues; amounts are the most of each token that the position may take. */
  mint(
    tokens: readonly [Address, Address],
    fee: number,
    lower: number,
    upper: number,
    amounts: readonly [bigint, bigint],
  ): Promise<Hex>;
  /** Queues the removal of `liquidity` from position number `id`. */
  burn(id: bigint, liquidity: bigint): Promise<Hex>;
  /** Liquidity of position number `id`; 0 if there is none. */
  liquidityOf(id: bigint): Promise<bigint>;
  swapExactIn(tokenIn: Address, tokenOut: Address, fee: number, amountIn: bigint): Promise<Hex>;
}

/** Deploys factory, position manager, router and quoter, with a fee tier of tick spacing 1 besides the usual three. */
export async function deployV3(anvil: Anvil): Promise<V3World> {
  const factory = await anvil.deploy(factoryArtifact.abi, factoryArtifact.bytecode);
  const native = await anvil.deploy(weth.abi, weth.bytecode);
  const manager = await anvil.deploy(managerArtifact.abi, managerArtifact.bytecode, [factory, native, ZERO_ADDRESS]);
  const router = await anvil.deploy(routerArtifact.abi, routerArtifact.bytecode, [factory, native]);
  const quoter = await anvil.deploy(quoterArtifact.abi, quoterArtifact.bytecode, [factory, native]);
  const enable = { abi: factoryArtifact.abi, functionName: "enableFeeAmount", args: [100, 1] };
  await anvil.send(factory, encodeFunctionData(enable));
  await anvil.mine();

  const { account } = anvil;
  return {
    factory,
    manager,
    router,
    quoter,
    async createPool(tokens, fee) {
      const create = { abi: factoryArtifact.abi, functionName: "createPool", args: [...tokens, fee] };
      await anvil.send(factory, encodeFunctionData(create));
      await anvil.mine();
      return toAddress(await anvil.read<string>(factory, factoryArtifact.abi, "getPool", [...tokens, fee]));
    },
    mint(tokens, fee, lower, upper, [amount0, amount1]) {
      const [token0, token1] = tokens;
      const params = {
        ...{ token0, token1, fee, tickLower: lower, tickUpper: upper, recipient: account, deadline: DEADLINE },
        ...{ amount0Desired: amount0, amount1Desired: amount1, amount0Min: 0n, amount1Min: 0n },
      };
      return anvil.send(
        manager,
        encodeFunctionData({ abi: managerArtifact.abi, functionName: "mint", args: [params] }),
      );
    },
    burn(tokenId, liquidity) {
      const params = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: DEADLINE };
      const call = { abi: managerArtifact.abi, functionName: "decreaseLiquidity", args: [params] };
      return anvil.send(manager, encodeFunctionData(call));
    },
    async liquidityOf(id) {
      try {
        return (await anvil.read<readonly bigint[]>(manager, managerArtifact.abi, "positions", [id]))[7] ?? 0n;
      } catch {
        return 0n;
      }
    },
    swapExactIn(tokenIn, tokenOut, fee, amountIn) {
      const params = {
        ...{ tokenIn, tokenOut, fee, recipient: account, deadline: DEADLINE },
        ...{ amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
      };
      const call = { abi: routerArtifact.abi, functionName: "exactInputSingle", args: [params] };
      return anvil.send(router, encodeFunctionData(call));
    },
  };
}

/** Queues the pool's first price. */
export function initialize(anvil: Anvil, pool: Address, sqrtPriceX96: bigint): Promise<Hex> {
  return anvil.send(pool, encodeFunctionData({ abi: poolAbi, functionName: "initialize", args: [sqrtPriceX96] }));
}

/** Queues a share of the fees for the factory's owner: it must not change what swaps give. */
export function setProtocolFee(anvil: Anvil, pool: Address): Promise<Hex> {
  return anvil.send(pool, encodeFunctionData({ abi: poolAbi, functionName: "setFeeProtocol", args: [4, 6] }));
}
