import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";

/** Storage of a contract that answers with the words of many slots at once, at a block. */
export interface ContractStorage {
  readonly chain: ChainReader;
  readonly at: BlockRef;
  /** The call that reads slots. */
  callOf(slots: readonly Hex[]): Call;
  /** The words that such a call answered; undefined unless there are exactly `count`. */
  wordsOf(answer: Hex | undefined, count: number): readonly bigint[] | undefined;
}

/** Slots that one call reads. */
const SLOTS_PER_CALL = 128;
/** Calls made up and sent together: slots are hashes at times, and no step may keep the thread busy for long. */
const CALLS_TOGETHER = 8;

/** The words of all slots, which `slotOf` makes of the items; undefined when one of the calls failed. */
export async function readStorage<Item = Hex>(
  { chain, at, callOf, wordsOf }: ContractStorage,
  items: readonly Item[],
  slotOf: (item: Item) => Hex = (item) => item as Hex,
): Promise<readonly bigint[] | undefined> {
  const words: bigint[] = [];
  for (let start = 0; start < items.length; start += CALLS_TOGETHER * SLOTS_PER_CALL) {
    const end = Math.min(items.length, start + CALLS_TOGETHER * SLOTS_PER_CALL);
    const parts: Hex[][] = [];
    for (let from = start; from < end; from += SLOTS_PER_CALL) {
      parts.push(items.slice(from, Math.min(end, from + SLOTS_PER_CALL)).map(slotOf));
    }
    const answers = await chain.calls(parts.map(callOf), at);
    for (const [index, slots] of parts.entries()) {
      const read = wordsOf(answers[index], slots.length);
      if (read === undefined) return undefined;
      words.push(...read);
    }
  }
  return words;
}

/** The words that belong to numbers of each pool; `slotOf` makes a slot of the pool's place and one of its numbers. */
export async function readStorageOfEach(
  storage: ContractStorage,
  numbers: readonly (readonly number[])[],
  slotOf: (pool: number, number: number) => Hex,
): Promise<readonly (readonly bigint[])[] | undefined> {
  const items = numbers.flatMap((own, pool) => own.map((number) => ({ pool, number })));
  const words = await readStorage(storage, items, ({ pool, number }) => slotOf(pool, number));
  if (words === undefined) return undefined;
  let next = 0;
  return numbers.map(({ length }) => {
    next += length;
    return words.slice(next - length, next);
  });
}
