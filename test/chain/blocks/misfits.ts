import { type Abi, encodeDeployData, encodeFunctionData, erc20Abi } from "viem";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, type Hex, toAddress } from "../../../src/domain/address.ts";
import type { TestDevnet } from "../../support/worlds/devnet.ts";
import { compiled } from "../../venues/worlds/compiled.ts";

export const MISFIT = compiled("MisfitToken").abi;
export const SHARES = compiled("ShareToken").abi;
export const TAXING = compiled("TaxingToken").abi;
/** Base units of a misfit that its holder, the devnet's whale, begins with. */
const SUPPLY = 10n ** 27n;

const factory = bundled("UniswapV2Factory").abi;
const pair = bundled("UniswapV2Pair").abi;

/** Tokens that do not move as they should, and real pairs with them, on a devnet that is a test's own. */
export function misfitsOn(devnet: TestDevnet) {
  const { whale, contracts } = devnet;

  async function send(to: Address, data: Hex, from: Address = whale): Promise<void> {
    const receipt = await devnet.sendTransaction(from, { to, data });
    if (!receipt.succeeded) throw new Error(`a transaction of the test's set-up reverted with ${receipt.revertData}`);
  }

  async function deploy(name: string, args: readonly unknown[]): Promise<Address> {
    const receipt = await devnet.sendTransaction(whale, { data: encodeDeployData({ ...compiled(name), args }) });
    if (receipt.contractAddress === undefined) throw new Error(`${name} was not deployed`);
    return toAddress(receipt.contractAddress);
  }

  return {
    misfit: (symbol: string, decimals = 18) => deploy("MisfitToken", [symbol, decimals, whale, SUPPLY]),
    taxing: (symbol: string) => deploy("TaxingToken", [symbol, whale, SUPPLY]),
    shareToken: (symbol: string) => deploy("ShareToken", [symbol, whale, SUPPLY]),
    shareWrapper: (token: Address) => deploy("ShareWrapper", [token]),
    returnless: (symbol: string) => deploy("DevnetReturnlessToken", [symbol, symbol, 6, whale, SUPPLY]),
    call: (to: Address, abi: Abi, functionName: string, ...args: readonly unknown[]) =>
      send(to, encodeFunctionData({ abi, functionName, args })),
    wrap: (wrapper: Address, amount: bigint) =>
      send(wrapper, encodeFunctionData({ abi: compiled("ShareWrapper").abi, functionName: "wrap", args: [amount] })),
    transfer: (token: Address, to: Address, amount: bigint) =>
      send(token, encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] })),
    /** A Uniswap V2 pair of two tokens, filled by the whale. */
    async pair(a: Address, amountA: bigint, b: Address, amountB: bigint): Promise<Address> {
      const tokens = { abi: factory, args: [a, b] };
      await send(contracts.uniswapV2Factory, encodeFunctionData({ ...tokens, functionName: "createPair" }));
      const data = encodeFunctionData({ ...tokens, functionName: "getPair" });
      const answer = await devnet.rpc<Hex>("eth_call", [{ to: contracts.uniswapV2Factory, data }, "latest"]);
      const address = toAddress(`0x${answer.slice(-40)}`);
      await devnet.fund(a, address, amountA);
      await devnet.fund(b, address, amountB);
      await send(address, encodeFunctionData({ abi: pair, functionName: "mint", args: [whale] }));
      return address;
    },
  };
}
