import { decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import type { Address } from "../../../../src/domain/address.ts";
import type { Call } from "../../../../src/market/chain-reader.ts";
import type { Asked } from "../../../support/suites/concentrated-exactness.ts";
import type { Anvil } from "../anvil.ts";

const { abi, bytecode } = compiled("DevnetDesk");

/** The devnet's desk for concentrated pools whose makers publish no router. */
export interface Desk {
  readonly address: Address;
  mint(pool: Address, lower: number, upper: number, liquidity: bigint): Promise<Hex>;
  burn(pool: Address, lower: number, upper: number, liquidity: bigint): Promise<Hex>;
  swapExactIn(pool: Address, zeroForOne: boolean, amountIn: bigint): Promise<Hex>;
  quote(pool: Address, asked: Asked): Call;
  decode(asked: Asked, answer: Hex): { readonly amount: bigint; readonly sqrtPriceX96: bigint } | undefined;
}

/** `priceFunction`: selector of the pools' function whose first word is the price. */
export async function deployDesk(anvil: Anvil, priceFunction: Hex): Promise<Desk> {
  const address = await anvil.deploy(abi, bytecode);
  const data = (functionName: string, args: readonly unknown[]) => encodeFunctionData({ abi, functionName, args });
  return {
    address,
    mint: (...args) => anvil.send(address, data("mint", args)),
    burn: (...args) => anvil.send(address, data("burn", args)),
    swapExactIn: (...args) => anvil.send(address, data("swap", args)),
    quote: (pool, { zeroForOne, exactIn, amount }) => ({
      to: address,
      data: data("quote", [pool, zeroForOne, exactIn ? amount : -amount, priceFunction]),
    }),
    decode({ zeroForOne, exactIn, amount }, answer) {
      const [amount0, amount1, sqrtPriceX96] = decodeFunctionResult({
        ...{ abi, functionName: "quote", data: answer },
      }) as [bigint, bigint, bigint];
      const [paid, bought] = zeroForOne ? [amount0, -amount1] : [amount1, -amount0];
      if (!exactIn && bought !== amount) return undefined;
      return { amount: exactIn ? bought : paid, sqrtPriceX96 };
    },
  };
}
