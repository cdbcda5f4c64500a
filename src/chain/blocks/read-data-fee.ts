import { encodeFunctionData, type Hex, parseAbi } from "viem";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { DataFee } from "../../market/snapshot.ts";
import type { ChainRecord } from "../chains/chain-record.ts";

type Oracle = NonNullable<ChainRecord["dataFee"]>["oracle"];
type ReadFee = (reader: ChainReader, oracle: Oracle, at: BlockRef) => Promise<DataFee | undefined>;

const opStack = parseAbi(["function getL1Fee(bytes data) view returns (uint256)"]);
/** Sizes of two transactions, in bytes, between and beyond which the fee is taken to be a straight line. */
const SMALL = 512;
const LARGE = 2_048;
/** Words as calldata has them: an address, an amount, a flag. Parts of them are noise, so that they compress as such do. */
const WORDS = [20, 8, 1];

const arbitrum = parseAbi([
  "function getPricesInWei() view returns (uint256, uint256, uint256, uint256, uint256, uint256)",
]);
/** Index of the price, among the six, that is per byte left after Brotli compression, in wei. */
const PER_COMPRESSED_BYTE = 1;
/** Size of our transactions after Brotli compression, in tenths (test/promise/random-quotes.test.ts). */
const TENTHS_LEFT = 8n;

/**
 * Fee that a rollup charges for posting transactions on its parent chain, at a block, by the chain's own contract. It
 * is undefined if the record names no contract or the contract does not answer: no amount depends on it, so quotes go
 * on.
 * @throws the node's error if a call fails
 */
export async function readDataFee(
  reader: ChainReader,
  { dataFee }: Pick<ChainRecord, "dataFee">,
  at: BlockRef,
): Promise<DataFee | undefined> {
  return dataFee === undefined ? undefined : KINDS[dataFee.kind](reader, dataFee.oracle, at);
}

/** GasPriceOracle.getL1Fee, which knows the formula of the chain's own fork. */
async function readOpStack(reader: ChainReader, oracle: Oracle, at: BlockRef): Promise<DataFee | undefined> {
  const calls = [SMALL, LARGE].map((bytes) => {
    const data = encodeFunctionData({ abi: opStack, functionName: "getL1Fee", args: [sample(bytes)] });
    return { to: oracle, data };
  });
  const fees = (await reader.calls(calls, at)).map((answer) => (answer?.length === 66 ? BigInt(answer) : undefined));
  const [small, large] = fees;
  if (small === undefined || large === undefined) return undefined;
  const span = BigInt(LARGE - SMALL);
  const perByte = large > small ? (large - small + span - 1n) / span : 0n;
  const before = perByte * BigInt(SMALL);
  return { fixed: small > before ? small - before : 0n, perByte };
}

/**
 * ArbGasInfo.getPricesInWei: a unit of data's price, times the 16 units of a byte (nitro, precompiles/ArbGasInfo.go). A
 * transaction pays for the bytes of its Brotli compression, level 1 since ArbOS 20 (arbos/l1pricing/l1pricing.go,
 * getPosterUnitsWithoutCache), by so much more gas (arbos/tx_processor.go, GasChargingHook).
 */
async function readArbitrum(reader: ChainReader, oracle: Oracle, at: BlockRef): Promise<DataFee | undefined> {
  const data = encodeFunctionData({ abi: arbitrum, functionName: "getPricesInWei" });
  const [prices] = await reader.calls([{ to: oracle, data }], at);
  if (prices?.length !== 2 + 6 * 64) return undefined;
  const price = BigInt(`0x${prices.slice(2 + 64 * PER_COMPRESSED_BYTE, 2 + 64 * (PER_COMPRESSED_BYTE + 1))}`);
  return { fixed: 0n, perByte: (price * TENTHS_LEFT + 9n) / 10n, asGas: true };
}

const KINDS: Readonly<Record<NonNullable<ChainRecord["dataFee"]>["kind"], ReadFee>> = {
  "op-stack": readOpStack,
  arbitrum: readArbitrum,
};

/** So many bytes that look like a swap's calldata, the same every time. */
function sample(bytes: number): Hex {
  let noise = 1;
  let text = "";
  for (let word = 0; text.length < 2 * bytes; word++) {
    const filled = WORDS[word % WORDS.length] as number;
    text += "00".repeat(32 - filled);
    for (let byte = 0; byte < filled; byte++) {
      noise = (noise * 48_271) % 2_147_483_647;
      text += (noise % 256).toString(16).padStart(2, "0");
    }
  }
  return `0x${text.slice(0, 2 * bytes)}`;
}
