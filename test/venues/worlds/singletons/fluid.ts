import {
  type Abi,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  parseAbiParameters,
  toFunctionSelector,
} from "viem";
import { type Address, NATIVE_TOKEN, toAddress, ZERO_ADDRESS } from "../../../../src/domain/address.ts";
import type { FluidRecord } from "../../../../src/venues/fluid/record.ts";
import { tokenSlots } from "../../../../src/venues/fluid/slots.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { allow, mintedToken, setBalance } from "../traffic/minted-tokens.ts";

/** A contract as it was compiled. */
interface Contract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** Fluid's DEX T1 on a test's chain: of the devnet's contracts, or of its makers'. */
export interface FluidWorld {
  readonly record: FluidRecord;
  /** A pool of two tokens, which the test's account may sell. */
  createPool(tokens: readonly [Address, Address]): Promise<Address>;
}

/** A token's decimals; 18 without a contract stand for the native token. */
export type TestToken = number | "native";

const fluidPoolAbi: Abi = compiled("DevnetFluidPool").abi;
const TERMS = { protocol: "fluid", source: "Fluid", fromBlock: 0n } as const;
const RICH = 1n << 100n;

/** Two tokens as pools have them, the lower address first. */
export async function tokensOf(anvil: Anvil, kinds: readonly [TestToken, TestToken]): Promise<[Address, Address]> {
  const made: Address[] = [];
  for (const kind of kinds) made.push(kind === "native" ? NATIVE_TOKEN : await mintedToken(anvil, kind));
  const [one, other] = made as [Address, Address];
  return one < other ? [one, other] : [other, one];
}

/** The contracts of the devnet. */
export async function deployFluid(anvil: Anvil): Promise<FluidWorld> {
  const [layer, maker] = [compiled("DevnetFluidLiquidity"), compiled("DevnetFluidFactory")];
  const liquidity = await anvil.deploy(layer.abi, layer.bytecode, [anvil.account]);
  const factory = await anvil.deploy(maker.abi, maker.bytecode, [liquidity]);
  return {
    record: { ...TERMS, factory, liquidity, resolver: factory },
    async createPool(tokens) {
      await anvil.send(factory, encodeFunctionData({ abi: maker.abi, functionName: "deployDex", args: [...tokens] }));
      await anvil.mine();
      const total = await anvil.read<bigint>(factory, maker.abi, "totalDexes");
      const pool = toAddress(await anvil.read<Address>(factory, maker.abi, "getDexAddress", [total]));
      return readied(anvil, pool, liquidity, tokens);
    },
  };
}

/** Contracts of Fluid itself, which another folder has; their factory and what only governors need are left out. */
export async function deployFluidOfMakers(anvil: Anvil, of: (name: string) => Contract): Promise<FluidWorld> {
  const deploy = (name: string, args: readonly unknown[] = []) => anvil.deploy(of(name).abi, of(name).bytecode, args);
  const nobody = toAddress(`0x${"11".repeat(20)}`);
  const module = await deploy("FluidLiquidityUserModuleOthers");
  const liquidity = await deploy("FluidLiquidityProxy", [anvil.account, nobody]);
  const args = [module, [toFunctionSelector("operate(address,int256,int256,address,address,bytes)")]];
  await anvil.send(
    liquidity,
    encodeFunctionData({ abi: of("FluidLiquidityProxy").abi, functionName: "addImplementation", args }),
  );
  await anvil.mine();
  // Not entered.
  await anvil.rpc("anvil_setStorageAt", [liquidity, numberToHex(1, { size: 32 }), numberToHex(1, { size: 32 })]);
  const resolver = await deploy("FluidDexReservesResolver", [nobody, liquidity, nobody]);
  const shift = await deploy("FluidDexT1Shift", [nobody]);
  return {
    record: { ...TERMS, factory: nobody, liquidity, resolver },
    async createPool(tokens) {
      // The slots are of the pool's own address, which is known beforehand by the account's nonce.
      const place = await nextAddress(anvil);
      const [first, second] = tokens.map((token) => tokenSlots(place, token));
      const [token0, token1] = tokens;
      const implementations = {
        shift,
        admin: nobody,
        colOperations: nobody,
        debtOperations: nobody,
        perfectOperationsAndSwapOut: ZERO_ADDRESS,
      };
      const views = {
        ...{ dexId: 1n, liquidity, factory: nobody, deployerContract: nobody, token0, token1, oracleMapping: 0n },
        implementations,
        ...{ supplyToken0Slot: first!.supply, borrowToken0Slot: first!.debt },
        ...{ supplyToken1Slot: second!.supply, borrowToken1Slot: second!.debt },
        ...{
          exchangePriceToken0Slot: tokenSlotOf(token0, PRICES),
          exchangePriceToken1Slot: tokenSlotOf(token1, PRICES),
        },
      };
      const pool = await deploy("FluidDexT1", [views]);
      if (pool !== place) throw new Error(`a pool stands at ${pool} instead of ${place}`);
      return readied(anvil, pool, liquidity, tokens);
    },
  };
}

/** Lets the test's account sell to a pool, and the layer pay. */
async function readied(anvil: Anvil, pool: Address, liquidity: Address, tokens: readonly Address[]): Promise<Address> {
  await anvil.rpc("anvil_setBalance", [liquidity, numberToHex(RICH)]);
  for (const token of tokens) {
    if (token === NATIVE_TOKEN) continue;
    await allow(anvil, token, anvil.account, pool);
    await setBalance(anvil, token, liquidity, RICH);
  }
  return pool;
}

/** Address of the account's next contract. */
async function nextAddress(anvil: Anvil): Promise<Address> {
  const nonce = Number(await anvil.rpc<Hex>("eth_getTransactionCount", [anvil.account, "latest"]));
  return toAddress(getContractAddress({ from: anvil.account, nonce: BigInt(nonce) }));
}

/** State of a pool and its layer. Amounts of supply and debt in shares or base units as the layer counts. */
export interface FluidWords {
  readonly prices: bigint;
  readonly terms: bigint;
  /** For each token: what the pool supplies and owes, what all have together, and what a share is worth. */
  readonly tokens: readonly {
    readonly supply: bigint;
    readonly debt: bigint;
    readonly totals: bigint;
    readonly config: bigint;
    readonly price: bigint;
  }[];
}

/** Numbers of the layer's mappings that are read by its own contracts alone. */
const PRICES = 5;
const RATES = 6;

/** Writes words where both kinds of contracts have them. */
export async function writeWords(
  anvil: Pick<Anvil, "rpc">,
  { record }: Pick<FluidWorld, "record">,
  { pool, tokens }: { readonly pool: Address; readonly tokens: readonly Address[] },
  words: FluidWords,
): Promise<void> {
  const write = (contract: Address, slot: Hex, word: bigint) =>
    anvil.rpc("anvil_setStorageAt", [contract, slot, numberToHex(word, { size: 32 })]);
  await write(pool, numberToHex(0, { size: 32 }), words.prices);
  await write(pool, numberToHex(1, { size: 32 }), words.terms);
  for (const [index, token] of tokens.entries()) {
    const slots = tokenSlots(pool, token);
    const own = words.tokens[index]!;
    await write(record.liquidity, slots.supply, own.supply);
    await write(record.liquidity, slots.debt, own.debt);
    await write(record.liquidity, slots.totals, own.totals);
    await write(record.liquidity, slots.config, own.config);
    await write(record.liquidity, tokenSlotOf(token, PRICES), own.price);
    await write(record.liquidity, tokenSlotOf(token, RATES), RATE_WORD);
  }
}

function tokenSlotOf(token: Address, mapping: number): Hex {
  return keccak256(encodeAbiParameters(parseAbiParameters("address, uint256"), [token, BigInt(mapping)]));
}

/** A number of so many digits in the base of two, with an exponent of eight bits behind them. */
export function packed(value: bigint, bits: bigint, up = false): bigint {
  let exponent = 0n;
  while ((value >> exponent) >> bits > 0n) exponent++;
  let digits = value >> exponent;
  if (up && digits << exponent !== value) digits++;
  if (digits >> bits > 0n) [digits, exponent] = [digits >> 1n, exponent + 1n];
  return (digits << 8n) | exponent;
}

/** Fields of a word, each with the bit that it begins at. */
export function wordOfFields(fields: readonly (readonly [at: number, value: bigint])[]): bigint {
  return fields.reduce((word, [at, value]) => word | (value << BigInt(at)), 0n);
}

/** Interest of 4 % a year where 80 % of a token are borrowed, of 100 % where all is. */
const RATE_WORD = wordOfFields([
  [0, 1n],
  [20, 8_000n],
  [36, 400n],
  [52, 10_000n],
]);

/** Amount of a swap that the contract itself makes at the head, or its refusal in words. */
export async function swapAt(
  anvil: Anvil,
  pool: Address,
  swap: { readonly sells0: boolean; readonly exactOut: boolean; readonly amount: bigint; readonly value: bigint },
): Promise<bigint | string> {
  const { sells0, exactOut, amount, value } = swap;
  const limit = exactOut ? (value > 0n ? value : (1n << 128n) - 1n) : 0n;
  const functionName = exactOut ? "swapOut" : "swapIn";
  const data = encodeFunctionData({ abi: fluidPoolAbi, functionName, args: [sells0, amount, limit, anvil.account] });
  const call = { from: anvil.account, to: pool, data, value: numberToHex(value), gas: "0x3b9aca00" };
  try {
    return BigInt(await anvil.rpc<Hex>("eth_call", [call, "latest"]));
  } catch (error) {
    return String(error);
  }
}

/** Amount that an exact output really pays, of a token that is a contract. */
export async function paidAt(
  anvil: Anvil,
  pool: Address,
  bought: Address,
  { sells0, amount, value }: { readonly sells0: boolean; readonly amount: bigint; readonly value: bigint },
): Promise<bigint> {
  const args = [sells0, amount, value > 0n ? value : (1n << 128n) - 1n, RECEIVER];
  const data = encodeFunctionData({ abi: fluidPoolAbi, functionName: "swapOut", args });
  const balance = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [RECEIVER] });
  const { timestamp } = await anvil.head();
  const calls = [
    { from: anvil.account, to: pool, data, value: numberToHex(value), gas: "0x3b9aca00" },
    { from: anvil.account, to: bought, data: balance },
  ];
  const blockStateCalls = [{ blockOverrides: { time: numberToHex(timestamp) }, calls }];
  const [block] = await anvil.rpc<readonly SimulatedBlock[]>("eth_simulateV1", [{ blockStateCalls }, "latest"]);
  const [swapped, held] = block!.calls;
  if (swapped!.status !== "0x1") throw new Error(`${pool} does not pay ${amount}: ${JSON.stringify(swapped)}`);
  return BigInt(held!.returnData);
}

interface SimulatedBlock {
  readonly calls: readonly { readonly status: Hex; readonly returnData: Hex }[];
}

/** An account that holds nothing. */
const RECEIVER = toAddress(`0x${"2e".repeat(20)}`);

/** Sells to a pool, for the test's account. */
export async function sendSwap(
  anvil: Anvil,
  pool: Address,
  { sells0, amount, value }: { readonly sells0: boolean; readonly amount: bigint; readonly value: bigint },
): Promise<void> {
  const args = [sells0, amount, 0n, anvil.account];
  await anvil.send(pool, encodeFunctionData({ abi: fluidPoolAbi, functionName: "swapIn", args }), value);
}

/** A million of either token as collateral and as debt, one for one within 5 %, a fee of 0.01 %, interest of 5 % a year. */
export function evenWords(decimals: readonly [number, number], time: bigint): FluidWords {
  const tokens = decimals.map((digits) => {
    const million = 10n ** BigInt(digits + 6);
    return { held: million, owed: million, supplied: 10n * million, borrowed: 2n * million };
  });
  return wordsAtOne(tokens, 50_000n, time);
}

/** Shares of one token: what the pool has and owes, what all supply and borrow. */
export interface LayerAmounts {
  readonly held: bigint;
  readonly owed: bigint;
  readonly supplied: bigint;
  readonly borrowed: bigint;
}

/** A pool of two tokens one for one, with collateral, debt or both; `width` of its range in parts of 10^6. */
export function wordsAtOne(amounts: readonly LayerAmounts[], width: bigint, time: bigint): FluidWords {
  const one = packed(10n ** 27n, 32n);
  const prices = wordOfFields([
    [1, one],
    [41, one],
    [81, one],
    [121, time - 100n],
  ]);
  const isThere = (side: "held" | "owed") => (amounts.some((token) => token[side] > 0n) ? 1n : 0n);
  const terms = wordOfFields([
    [0, isThere("held")],
    [1, isThere("owed")],
    [2, 100n],
    [19, 10n],
    [27, width],
    [47, width],
    [172, packed(2n * 10n ** 27n, 20n)],
    [200, packed(10n ** 26n, 20n)],
    [228, 1_000n],
    [238, 1_000n],
  ]);
  const tokens = amounts.map(({ held, owed, supplied, borrowed }) => {
    const user = (amount: bigint, ...limits: (readonly [number, bigint])[]) =>
      wordOfFields([[0, 1n], [1, packed(amount, 56n)], [129, time - 100n], [162, 10_000n], [176, 43_200n], ...limits]);
    const limit = packed(supplied, 10n);
    const debt = user(owed, [200, limit], [218, limit]);
    const totals = wordOfFields([
      [0, packed(supplied, 56n)],
      [128, packed(borrowed, 56n, true)],
    ]);
    const price = wordOfFields([
      [0, 500n],
      [58, time - 100n],
      [91, 10n ** 12n],
      [155, 10n ** 12n],
    ]);
    return { supply: user(held), debt, totals, config: 0n, price };
  });
  return { prices, terms, tokens };
}
