import { encodeDeployData, encodeFunctionData, type Hex } from "viem";
import { compiled } from "../../../fixtures/settlement/node.ts";
import type { ChainRecord } from "../../../src/chain/chains/chain-record.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import { poolIdOf } from "../../../src/venues/uniswap-v4/pool-key.ts";
import type { UniswapV4HooksRecord } from "../../../src/venues/uniswap-v4-hooks/record.ts";
import { CODE, FEES, HOOKS, MODELS, type Model, termsCall } from "../../venues/worlds/singletons/v4-hooks.ts";
import type { TestDevnet } from "./devnet.ts";

const SPACING = 60;
/** Edge of a position over nearly all prices. */
const EDGE = 14_000 * SPACING;

/** The devnet's record with a source for hooks of each model, and a pool of two tokens with 18 decimals on the devnet for each. */
export async function v4HooksOnDevnet(
  record: ChainRecord,
  devnet: TestDevnet,
  symbols: readonly [string, string],
): Promise<ChainRecord> {
  const { whale, rpc } = devnet;
  const factory = devnet.chain.venues.find(({ protocol }) => protocol === "uniswap-v4") as unknown as {
    factory: Address;
  };
  const manager = factory.factory;
  const desk = compiled("DevnetV4Desk");
  const send = async (to: Address | undefined, data: Hex) => {
    const receipt = await devnet.sendTransaction(whale, { ...(to && { to }), data });
    if (!receipt.succeeded) throw new Error(`a transaction of the set-up reverted with ${receipt.revertData}`);
    return receipt;
  };
  const made = await send(undefined, encodeDeployData({ abi: desk.abi, bytecode: desk.bytecode, args: [manager] }));
  const deskAt = toAddress(made.contractAddress as string);
  const tokens = symbols.map((name) => devnet.tokens.find(({ symbol }) => symbol === name)!.address).sort();
  const [currency0, currency1] = tokens as [Address, Address];
  for (const token of tokens) await devnet.approve(token, whale, deskAt, 2n ** 255n);
  for (const model of MODELS) {
    const hooks = HOOKS[model].address;
    await rpc("anvil_setCode", [hooks, CODE[model].deployedBytecode]);
    const key = { currency0, currency1, fee: FEES[model], tickSpacing: SPACING, hooks };
    const { abi } = bundled("PoolManager");
    await send(manager, encodeFunctionData({ abi, functionName: "initialize", args: [key, 1n << 96n] }));
    const id = poolIdOf({ ...key, currencies: [currency0, currency1] });
    const terms = termsCall(model, id, 70, 330);
    if (terms !== undefined) await send(hooks, terms);
    const args = [key, -EDGE, EDGE, 10n ** 23n];
    await send(deskAt, encodeFunctionData({ abi: desk.abi, functionName: "modify", args }));
  }
  const venues = MODELS.map((model): UniswapV4HooksRecord => {
    const place = { source: sourceOf(model), factory: manager, fromBlock: 0n } as const;
    return { protocol: "uniswap-v4-hooks", ...place, hooks: [HOOKS[model]] };
  });
  const allowedControllers = [...(record.allowedControllers ?? []), ...MODELS.map((model) => HOOKS[model].address)];
  return { ...record, allowedControllers, venues: [...record.venues, ...venues] };
}

/** Name of the source with a model's pools. */
export function sourceOf(model: Model): string {
  return `Hooks_${model}`;
}
