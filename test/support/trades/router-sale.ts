import { encodeFunctionData, parseAbi } from "viem";
import { parseHeader } from "../../../src/chain/rpc/codec.ts";
import { type Address, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import { STAND_IN } from "../../../src/domain/stand-in.ts";
import type { Simulator } from "../../../src/quoting/ports.ts";
import type { TestDevnet } from "../worlds/devnet.ts";

export type SimulationRequest = Parameters<Simulator["simulate"]>[0];

/** A sale of one token of the devnet for another, both by symbol. */
export interface RouterSale {
  readonly sell: string;
  /** WETH by default. */
  readonly buy?: string;
  readonly sellAmount: bigint;
  readonly taker?: Address;
  readonly recipient?: Address;
  /** Least that it has to pay; nothing by default. */
  readonly least?: bigint;
}

/** A deadline that no block reaches. */
export const FOREVER = (1n << 255n) - 1n;

const abi = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])",
]);

/** Sales through Uniswap V2's router, which is then also what the taker approves. */
export function routerSales(devnet: () => TestDevnet) {
  function tokenOf(symbol: string): Address {
    const token = devnet().tokens.find((each) => each.symbol === symbol);
    if (token === undefined) throw new Error(`the devnet has no ${symbol}`);
    return token.address;
  }

  async function head(): Promise<BlockRef> {
    return parseHeader(await devnet().rpc("eth_getBlockByNumber", ["latest", false]));
  }

  return {
    tokenOf,
    head,

    /** Output of a sale at the newest block, by the router itself. */
    async amountOut(sellAmount: bigint, path: readonly Address[]): Promise<bigint> {
      const data = encodeFunctionData({ abi, functionName: "getAmountsOut", args: [sellAmount, path] });
      const call = { to: devnet().contracts.uniswapV2Router, data };
      const answer = await devnet().rpc<string>("eth_call", [call, "latest"]);
      return BigInt(`0x${answer.slice(-64)}`);
    },

    /** The transaction as a simulator is asked to run it, at the newest block. */
    async sale(options: RouterSale): Promise<SimulationRequest> {
      const { sellAmount, taker, recipient, least = 0n } = options;
      const [sellToken, buyToken] = [tokenOf(options.sell), tokenOf(options.buy ?? "WETH")];
      const router = devnet().contracts.uniswapV2Router;
      const to = recipient ?? taker ?? STAND_IN;
      const args = [sellAmount, least, [sellToken, buyToken], to, FOREVER] as const;
      const data = encodeFunctionData({ abi, functionName: "swapExactTokensForTokens", args });
      return {
        transaction: { to: router, data, value: 0n },
        taker,
        terms: {
          ...{ sellToken, buyToken, maxSellAmount: sellAmount, minBuyAmount: 1n, deadline: FOREVER },
          recipient: recipient ?? ZERO_ADDRESS,
        },
        allowanceTarget: router,
        avoidHolders: [],
        at: await head(),
      };
    },
  };
}
