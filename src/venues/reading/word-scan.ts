import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import { wordOf } from "./words.ts";

/** A run of a contract's words: what a view function of one argument answers for each number from `first` to `last`. */
export interface WordRange {
  readonly to: Address;
  readonly selector: Hex;
  readonly first: number;
  readonly last: number;
  /** Added to each number, modulo 2^256, before it is asked for. Absent: nothing. */
  readonly offset?: bigint;
  /** Slot of a mapping: the function is asked for the storage slot of each number's entry. Absent: for the number itself. */
  readonly mapping?: Hex;
}

/** The first and last of words that follow each other; a run without any ends before it begins. */
export function endsOf(words: readonly number[]): { readonly first: number; readonly last: number } {
  return { first: words[0] ?? 0, last: words.at(-1) ?? -1 };
}

/** Words of one request: some 3,000 gas each, far below what nodes give to a call. */
const WORDS_PER_REQUEST = 3_000;
/** Code of one request stays below 49,152 bytes (EIP-3860): a range takes less than 250. */
const RANGES_PER_REQUEST = 150;
/** A record: the word's place among all that are asked for, and the word itself. */
const PLACE_BYTES = 2;
const RECORD_BYTES = PLACE_BYTES + 32;

/**
 * The words of each range at a block, by number, without those that are zero: few of a bitmap's words are not. Creation code
 * asks for all of them in a loop and returns what it found. Undefined if a node does not run it, or any of the calls fails:
 * then each word has to be asked for by itself.
 */
export async function scanWords(
  { run }: Pick<ChainReader, "run">,
  ranges: readonly WordRange[],
  at: BlockRef,
): Promise<readonly ReadonlyMap<number, bigint>[] | undefined> {
  if (run === undefined) return undefined;
  const found = ranges.map(() => new Map<number, bigint>());
  const answers = await Promise.all(
    requestsFor(ranges).map(async (parts) => {
      const words = decodeScan(await run(scanCode(parts.map(({ range }) => range)), at), countOf(parts));
      return words && { parts, words };
    }),
  );
  for (const answer of answers) {
    if (answer === undefined) return undefined;
    let before = 0;
    let part = 0;
    for (const [place, word] of answer.words) {
      for (; place >= before + sizeOf(answer.parts[part]!.range); part++) before += sizeOf(answer.parts[part]!.range);
      const { index, range } = answer.parts[part]!;
      found[index]!.set(range.first + place - before, word);
    }
  }
  return found;
}

/** A part of a range, and the range's index. */
interface Part {
  readonly index: number;
  readonly range: WordRange;
}

const sizeOf = ({ first, last }: WordRange) => last - first + 1;
const countOf = (parts: readonly Part[]) => parts.reduce((sum, { range }) => sum + sizeOf(range), 0);

/** Ranges cut and put together so that each request has at most so many words. */
function requestsFor(ranges: readonly WordRange[]): readonly (readonly Part[])[] {
  const requests: Part[][] = [];
  let left = 0;
  for (const [index, range] of ranges.entries()) {
    for (let { first } = range; first <= range.last; ) {
      if (left === 0 || requests.at(-1)!.length === RANGES_PER_REQUEST) {
        requests.push([]);
        left = WORDS_PER_REQUEST;
      }
      const last = Math.min(range.last, first + left - 1);
      requests.at(-1)!.push({ index, range: { ...range, first, last } });
      left -= last - first + 1;
      first = last + 1;
    }
  }
  return requests;
}

/** The words that are not zero, by place and ascending; undefined if the answer is not what the code returns. */
function decodeScan(answer: Hex | undefined, count: number): readonly (readonly [number, bigint])[] | undefined {
  const bytes = ((answer?.length ?? 0) - 2) / 2 - PLACE_BYTES;
  if (answer === undefined || bytes < 0 || bytes % RECORD_BYTES !== 0) return undefined;
  const place = (from: number) => Number.parseInt(answer.slice(from, from + 2 * PLACE_BYTES), 16);
  if (place(2) !== count) return undefined;
  const records: (readonly [number, bigint])[] = [];
  let before = -1;
  for (let from = 2 + 2 * PLACE_BYTES; from < answer.length; from += 2 * RECORD_BYTES) {
    const next = place(from);
    const word = BigInt(`0x${answer.slice(from + 2 * PLACE_BYTES, from + 2 * RECORD_BYTES)}`);
    if (next <= before || next >= count || word === 0n) return undefined;
    records.push([next, word]);
    before = next;
  }
  return records;
}

const OPCODES = {
  ...{ ADD: "01", SUB: "03", GT: "11", ISZERO: "15", AND: "16", XOR: "18", SHL: "1b", KECCAK256: "20" },
  ...{ RETURNDATASIZE: "3d", POP: "50", MLOAD: "51", MSTORE: "52", JUMP: "56", JUMPI: "57", GAS: "5a", JUMPDEST: "5b" },
  ...{ DUP1: "80", DUP3: "82", DUP5: "84", SWAP1: "90", SWAP2: "91", SWAP3: "92" },
  ...{ RETURN: "f3", STATICCALL: "fa", REVERT: "fd" },
} as const;

/** Memory: calldata of each call, its argument's number and its answer, the mapping's slot, then what is returned. */
const ARGUMENT = 0x04;
const WORD = 0x40;
const SLOT = 0x60;
const OUTPUT = 0x80;
/** A node gives 24,576 bytes at most (EIP-170). */
const OUTPUT_END = OUTPUT + 24_576;

/** Place of the refusal in the code: behind the jump over it. */
const REFUSAL = 5;
const START = assembled(
  `${push(12)} JUMP JUMPDEST ${push(0)} DUP1 REVERT JUMPDEST ${push(OUTPUT + PLACE_BYTES)} ${push(0)}`,
);

/**
 * Creation code that returns the number of words that were asked for, and a record for each that is not zero. It reverts if a
 * call fails or answers less than a word, and if there are more records than a node returns. Its stack: place in the output,
 * words so far, and inside a loop the number that is asked for.
 */
function scanCode(ranges: readonly WordRange[]): Hex {
  const loops = ranges.reduce((code, range) => code + loopOver(range, code.length / 2), START);
  // The number of words ends where the records begin.
  const [count, output] = [push(OUTPUT + PLACE_BYTES - 32), push(OUTPUT)];
  return `0x${loops}${assembled(`${count} MSTORE ${output} DUP1 SWAP2 SUB SWAP1 RETURN`)}`;
}

/** The part of the code that asks for one range; it stands at byte `start`. */
function loopOver({ to, selector, first, last, offset, mapping }: WordRange, start: number): string {
  const word = (hex: string) => `7f${hex.padEnd(64, "0")}`;
  const slot = mapping === undefined ? "" : assembled(`${word(mapping.slice(2))} ${push(SLOT)} MSTORE`);
  const before = assembled(`${word(selector.slice(2))} ${push(0)} MSTORE`) + slot + word(wordOf(first));
  const loop = push(start + before.length / 2);
  const moved = offset === undefined ? "" : `7f${wordOf(offset)} ADD`;
  const hashed = `${push(WORD)} MSTORE ${push(64)} ${push(WORD)} KECCAK256`;
  const call = `${push(32)} ${push(WORD)} ${push(ARGUMENT + 32)} ${push(0)} 73${to.slice(2)} GAS STATICCALL`;
  const asking = assembled(
    `JUMPDEST DUP1 ${moved} ${mapping === undefined ? "" : hashed} ${push(ARGUMENT)} MSTORE ${call} ` +
      `${push(31)} RETURNDATASIZE GT AND ISZERO ${push(REFUSAL)} JUMPI ${push(WORD)} MLOAD DUP1 ISZERO`,
  );
  const keeping = assembled(
    `DUP3 ${push(8 * (32 - PLACE_BYTES))} SHL DUP5 MSTORE DUP1 DUP5 ${push(PLACE_BYTES)} ADD MSTORE ` +
      `SWAP3 ${push(RECORD_BYTES)} ADD SWAP3 ${push(OUTPUT_END)} DUP5 GT ${push(REFUSAL)} JUMPI`,
  );
  // A word that is zero is not kept: PUSH3 and JUMPI are five bytes.
  const next = push(start + (before.length + asking.length + keeping.length) / 2 + 5);
  const counting = `JUMPDEST POP SWAP1 ${push(1)} ADD SWAP1 ${push(1)} ADD`;
  const again = `DUP1 7f${wordOf(last + 1)} XOR ${loop} JUMPI POP`;
  return `${before}${asking}${next}${OPCODES.JUMPI}${keeping}${assembled(`${counting} ${again}`)}`;
}

/** Code in words: names of operations, and bytes in small hexadecimal digits. */
function assembled(code: string): string {
  return code
    .split(" ")
    .map((word) => (word in OPCODES ? OPCODES[word as keyof typeof OPCODES] : word))
    .join("");
}

/** PUSH3: every number here fits into it. */
function push(value: number): string {
  return `62${value.toString(16).padStart(6, "0")}`;
}
