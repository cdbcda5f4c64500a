import { toFunctionSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import type { TricryptoGeneration } from "../../pools/cryptoswap/state.ts";
import { addressAt } from "../reading/words.ts";

const TOTAL_SUPPLY = toFunctionSelector("totalSupply()");

/** The generation that a record gives a tricrypto pool; undefined for NG. */
export function generationOf({ terms }: PoolRef): TricryptoGeneration | undefined {
  return terms.generation as TricryptoGeneration | undefined;
}

/**
 * Call to a pool of a generation in place of a figure of NG. Its shares are a token of their own, and the first
 * generation's `A` leaves out parts of amplification.
 */
export function figureOf(figure: string, generation: TricryptoGeneration | undefined): string {
  if (generation !== undefined && figure === "totalSupply()") return "token()";
  return generation === "first" && figure === "A()" ? "A_precise()" : figure;
}

/** Answers of pools with the supply of their shares where they said which token these are, as word `at(ref)` of them. */
export async function withSupplies(
  chain: ChainReader,
  refs: readonly PoolRef[],
  answers: readonly (readonly (Hex | undefined)[])[],
  { supplyAt, at }: { readonly supplyAt: (ref: PoolRef) => number; readonly at: BlockRef },
): Promise<readonly (readonly (Hex | undefined)[])[]> {
  const asked = refs.flatMap((ref, index): { readonly index: number; readonly call: Call }[] => {
    const share = addressAt(answers[index]?.[supplyAt(ref)] ?? "0x", 0);
    if (generationOf(ref) === undefined || share === undefined) return [];
    return [{ index, call: { to: share, data: TOTAL_SUPPLY } }];
  });
  if (asked.length === 0) return answers;
  const supplies = await chain.calls(
    asked.map(({ call }) => call),
    at,
  );
  const found = new Map(asked.map(({ index }, i) => [index, supplies[i]]));
  return answers.map((own, index) => {
    const ref = refs[index] as PoolRef;
    return generationOf(ref) === undefined ? own : own.with(supplyAt(ref), found.get(index));
  });
}
