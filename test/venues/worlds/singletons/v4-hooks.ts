import { encodeFunctionData, type Hex, keccak256 } from "viem";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import type { LiquiditySource, PoolRef } from "../../../../src/market/liquidity-source.ts";
import { DYNAMIC_FEE } from "../../../../src/venues/uniswap-v4/pool-key.ts";
import type { KnownHook, UniswapV4HooksRecord } from "../../../../src/venues/uniswap-v4-hooks/record.ts";
import { uniswapV4Hooks } from "../../../../src/venues/uniswap-v4-hooks/source.ts";
import type { Anvil } from "../anvil.ts";
import { deployV4, type V4World } from "./v4.ts";

type Deployed = ReturnType<typeof compiled> & { readonly deployedBytecode: Hex };

/** Addresses whose lowest bits are the permissions of what stands there: callbacks, and what they may return. */
const AT = {
  otherFee: hooksAt(0x1_0044),
  currency0Fee: hooksAt(0x2_00cc),
  currency1Fee: hooksAt(0x3_00cc),
  liquidityFee: hooksAt(0x4_0080),
  observer: hooksAt(0x5_00c0),
} as const;
export type Model = keyof typeof AT;
export const MODELS = Object.keys(AT) as readonly Model[];

export const CODE: { readonly [M in Model]: Deployed } = {
  otherFee: compiled("DevnetOtherFeeHooks") as Deployed,
  currency0Fee: compiled("DevnetCurrencyFeeHooks") as Deployed,
  currency1Fee: compiled("DevnetCurrencyFeeHooks") as Deployed,
  liquidityFee: compiled("DevnetLiquidityFeeHooks") as Deployed,
  observer: compiled("DevnetWatchingHooks") as Deployed,
};

/** Entries of a record for each. */
export const HOOKS: { readonly [M in Model]: KnownHook } = {
  otherFee: {
    ...{ model: "swap-fee", of: "unspecified", gas: 25_000, ...codeOf("otherFee") },
    fee: { call: "launches(bytes32)", words: [1, 2], whole: 10_000, frozen: true },
  },
  currency0Fee: {
    ...{ model: "swap-fee", of: "currency0", gas: 22_000, ...codeOf("currency0Fee") },
    fee: { call: "taxes(bytes32)", words: [1], wordsOfCurrency1: [2], whole: 10_000 },
  },
  currency1Fee: {
    ...{ model: "swap-fee", of: "currency1", gas: 22_000, ...codeOf("currency1Fee") },
    fee: { call: "taxes(bytes32)", words: [1], wordsOfCurrency1: [2], whole: 10_000 },
  },
  liquidityFee: {
    ...{ model: "liquidity-fee", gas: 6_000, ...codeOf("liquidityFee") },
    fee: { call: "getFeesData(bytes32)", words: [1], wordsOfCurrency1: [2], whole: 1_000_000 },
  },
  observer: { model: "observer", gas: 10_000, ...codeOf("observer") },
};

/** Fees of each model's pools. */
export const FEES: { readonly [M in Model]: number } = {
  ...{ otherFee: 0, currency0Fee: 500, currency1Fee: 3_000, liquidityFee: DYNAMIC_FEE, observer: 100 },
};
const SPACING = 60;

/** Call that sets what the hooks of a pool take where token 0 goes in, and where token 1 does: two parts of one fee for `otherFee`. */
export function termsCall(model: Model, id: string, first: number, second: number): Hex | undefined {
  const { abi } = CODE[model];
  if (model === "observer") return undefined;
  if (model === "otherFee") return encodeFunctionData({ abi, functionName: "register", args: [id, first, second] });
  if (model === "liquidityFee") return encodeFunctionData({ abi, functionName: "setFees", args: [id, first, second] });
  return encodeFunctionData({ abi, functionName: "setTax", args: [id, model === "currency1Fee", first, second] });
}

export interface V4HooksWorld extends Omit<V4World, "source"> {
  readonly source: LiquiditySource;
  readonly record: UniswapV4HooksRecord;
  /** Creates a pool with hooks of a model, without terms. */
  hooked(model: Model, currencies: readonly [Address, Address], price: bigint): Promise<PoolRef>;
  /** Queues a call of `termsCall`. */
  setTerms(model: Model, pool: PoolRef, first: number, second: number): Promise<unknown>;
}

/** Uniswap V4 with hooks of ours at addresses of theirs. */
export async function deployV4Hooks(anvil: Anvil): Promise<V4HooksWorld> {
  const world = await deployV4(anvil);
  for (const model of MODELS) await anvil.rpc("anvil_setCode", [AT[model], CODE[model].deployedBytecode]);
  const record: UniswapV4HooksRecord = {
    ...{ protocol: "uniswap-v4-hooks", source: "Hooked", factory: world.manager, fromBlock: 0n },
    hooks: MODELS.map((model) => HOOKS[model]),
  };
  const setTerms: V4HooksWorld["setTerms"] = async (model, { id }, first, second) => {
    const data = termsCall(model, id, first, second);
    if (data !== undefined) await anvil.send(AT[model], data);
  };
  const modelOf = ({ terms }: PoolRef) => MODELS.find((model) => AT[model] === terms.hooks) as Model;
  const hooked: V4HooksWorld["hooked"] = (model, currencies, price) =>
    world.initialize(currencies, FEES[model], SPACING, AT[model], price);
  return {
    ...world,
    ...{ record, source: uniswapV4Hooks(record), hooked, setTerms },
    tiers: MODELS.map((model) => ({ fee: FEES[model], spacing: SPACING, quotes: 45 })),
    async create(tokens, fee, price) {
      const model = MODELS.find((each) => FEES[each] === fee) as Model;
      const pool = await hooked(model, tokens, price);
      // Parts that are no whole divisors of anything round in every way.
      await setTerms(model, pool, 117, 333);
      return pool;
    },
    async disturb(pool) {
      await world.setProtocolFees(pool, 1_000, 77);
      await setTerms(modelOf(pool), pool, 1_999, 1);
    },
  };
}

function hooksAt(bits: number): Address {
  return toAddress(`0x${(0xfee0_0000n + BigInt(bits)).toString(16).padStart(40, "0")}`);
}

function codeOf(model: Model): Pick<KnownHook, "address" | "codeHash"> {
  return { address: AT[model], codeHash: keccak256(CODE[model].deployedBytecode) };
}
