import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { ChainReader } from "../market/chain-reader.ts";
import type { DataFee } from "../market/snapshot.ts";
import type { ChainRecord } from "./chains/chain-record.ts";

const oracle = parseAbi(["function getL1Fee(bytes data) view returns (uint256)"]);
/** Sizes of two transactions, in bytes, between and beyond which the fee is taken to be a straight line. */
const SMALL = 512;
const LARGE = 2_048;
/** Words as calldata has them: an address, an amount, a flag. Parts of them are noise, so that they compress as such do. */
const WORDS = [20, 8, 1];

/**
 * What a rollup asks for putting transactions on its parent chain, as of a block, by the chain's own oracle; undefined where
 * the record names none, or what it names has no answer: amounts do not depend on it, so that quotes go on without. OP stack:
 * GasPriceOracle.getL1Fee, which knows the formula of the chain's own fork.
 * @throws what the node failed with.
 */
export async function readDataFee(
  reader: ChainReader,
  { dataFee }: Pick<ChainRecord, "dataFee">,
  at: BlockRef,
): Promise<DataFee | undefined> {
  if (dataFee === undefined) return undefined;
  const calls = [SMALL, LARGE].map((bytes) => {
    const data = encodeFunctionData({ abi: oracle, functionName: "getL1Fee", args: [sample(bytes)] });
    return { to: dataFee.oracle, data };
  });
  const fees = (await reader.calls(calls, at)).map((answer) => (answer?.length === 66 ? BigInt(answer) : undefined));
  const [small, large] = fees;
  if (small === undefined || large === undefined) return undefined;
  const span = BigInt(LARGE - SMALL);
  const perByte = large > small ? (large - small + span - 1n) / span : 0n;
  const before = perByte * BigInt(SMALL);
  return { fixed: small > before ? small - before : 0n, perByte };
}

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
