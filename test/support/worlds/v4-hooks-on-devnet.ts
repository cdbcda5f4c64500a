import { encodeDeployData, encodeFunctionData, type Hex, keccak256 } from "viem";
import { compiled } from "../../../fixtures/settlement/node.ts";
import type { ChainRecord } from "../../../src/chain/chains/chain-record.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import { poolIdOf } from "../../../src/venues/uniswap-v4/pool-key.ts";
import type { UniswapV4HooksRecord } from "../../../src/venues/uniswap-v4-hooks/record.ts";
import {
  FALLING,
  GAS,
  HOOKS_AT,
  LOCKED,
  NOBODY,
  PASSED_GAS,
  PASSING,
  type Schedule,
} from "../../venues/worlds/singletons/v4-doppler.ts";
import { CODE, FEES, HOOKS, MODELS, type Model, termsCall } from "../../venues/worlds/singletons/v4-hooks.ts";
import type { TestDevnet } from "./devnet.ts";

const SPACING = 60;
/** Edge of a position over nearly all prices. */
const EDGE = 14_000 * SPACING;
/** Fee of the pool that passes its swaps on, in parts of 800,000. */
const PASSED_FEE = 11_201;

/** Kinds of hooks on the devnet: one whose pool passes its swaps on, besides those of each model. */
export const KINDS = [...MODELS, "doppler"] as const;

/**
 * The devnet's record with a source for hooks of each kind, and a pool of two tokens with 18 decimals on the devnet for each.
 * `schedule`: of the fee that swaps are passed on to; one that stays by default.
 */
export async function v4HooksOnDevnet(
  record: ChainRecord,
  devnet: TestDevnet,
  symbols: readonly [string, string],
  schedule: Schedule = [0, PASSED_FEE, PASSED_FEE, 0],
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
  const create = async (hooks: Address, code: Hex, fee: number, terms: (id: Hex, key: object) => Promise<unknown>) => {
    await rpc("anvil_setCode", [hooks, code]);
    const key = { currency0, currency1, fee, tickSpacing: SPACING, hooks };
    const { abi } = bundled("PoolManager");
    await send(manager, encodeFunctionData({ abi, functionName: "initialize", args: [key, 1n << 96n] }));
    await terms(poolIdOf({ ...key, currencies: [currency0, currency1] }) as Hex, key);
    const args = [key, -EDGE, EDGE, 10n ** 23n];
    await send(deskAt, encodeFunctionData({ abi: desk.abi, functionName: "modify", args }));
  };
  for (const model of MODELS) {
    await create(HOOKS[model].address, CODE[model].deployedBytecode, FEES[model], async (id) => {
      const terms = termsCall(model, id, 70, 330);
      if (terms !== undefined) await send(HOOKS[model].address, terms);
    });
  }
  const passesTo = await send(undefined, encodeDeployData({ ...FALLING, args: [800_000, manager] }));
  const passedAt = toAddress(passesTo.contractAddress as string);
  await create(HOOKS_AT, PASSING.deployedBytecode, 3_000, async (id, key) => {
    const call = (functionName: string, ...args: readonly unknown[]) =>
      send(HOOKS_AT, encodeFunctionData({ abi: PASSING.abi, functionName, args }));
    await call("setFlags", passedAt, 3n);
    await call("register", key, currency1, passedAt, LOCKED, NOBODY);
    const args = [id, ...schedule];
    await send(passedAt, encodeFunctionData({ abi: FALLING.abi, functionName: "setSchedule", args }));
  });
  const passedCode = (await rpc("eth_getCode", [passedAt, "latest"])) as Hex;
  const doppler: UniswapV4HooksRecord = {
    ...{ protocol: "uniswap-v4-hooks", source: sourceOf("doppler"), factory: manager, fromBlock: 0n },
    hooks: [
      {
        ...{ model: "doppler", address: HOOKS_AT, codeHash: keccak256(PASSING.deployedBytecode), airlock: HOOKS_AT },
        ...GAS,
        passesTo: [{ address: passedAt, codeHash: keccak256(passedCode), whole: 800_000, ...PASSED_GAS }],
      },
    ],
  };
  const venues = MODELS.map((model): UniswapV4HooksRecord => {
    const place = { source: sourceOf(model), factory: manager, fromBlock: 0n } as const;
    return { protocol: "uniswap-v4-hooks", ...place, hooks: [HOOKS[model]] };
  });
  const allowedControllers = [...(record.allowedControllers ?? []), ...MODELS.map((model) => HOOKS[model].address)];
  return { ...record, allowedControllers, venues: [...record.venues, ...venues, doppler] };
}

/** Name of the source with a kind's pools. */
export function sourceOf(kind: Model | "doppler"): string {
  return `Hooks_${kind}`;
}
