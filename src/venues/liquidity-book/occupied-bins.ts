import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { Bin } from "../../pools/bins/state.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt } from "../reading/words.ts";

/** Answers of a pair that has no more bins: below and above. */
const NONE_BELOW = 2 ** 24 - 1;
const NONE_ABOVE = 0;
/** Bins in a row that are asked for their next one together, at first and at most. */
const FIRST_ROW = 16;
const LONGEST_ROW = 256;
/** A pair with more bins on one side is not read: the largest in use have some hundreds. */
const MAX_BINS = 8_192;
/** Rounds that one side may take. Anybody may put bins far apart, and each costs a round: such a pair is not read. */
const MAX_ROUNDS = 64;
/** A row of which so many times as many calls were made as bins were met grows; another shrinks. */
const CALLS_PER_BIN = 8;

interface Pair {
  readonly activeId: number;
  /** Call for the next bin below one, or above it. */
  nextBin(below: boolean, id: number): Call;
}

/** The search for one side of a pair's bins. */
interface Side {
  readonly pair: number;
  readonly nextBin: Pair["nextBin"];
  readonly step: 1 | -1;
  readonly found: number[];
  from: number;
  row: number;
  state: "open" | "done" | "failed";
}

/**
 * The bins of each pair that hold liquidity, and its active one, by ascending id; undefined where a pair does not tell. A
 * pair tells the next bin of one: a row of neighbours is asked at once, as far as bins lie next to each other, so that a
 * gap costs one round and no more. A pair takes at most so many rounds, and calls in proportion to its bins.
 */
async function occupiedBins(
  chain: ChainReader,
  pairs: readonly Pair[],
  at: BlockRef,
): Promise<readonly (readonly number[] | undefined)[]> {
  const sides = pairs.flatMap(({ nextBin, activeId }, pair) =>
    ([-1, 1] as const).map(
      (step): Side => ({ pair, nextBin, step, found: [], from: activeId, row: FIRST_ROW, state: "open" }),
    ),
  );
  let open: readonly Side[] = sides;
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round++) {
    const asked = open.map((side) => ({ side, row: rowOf(side) }));
    const answers = await callGroups(
      chain,
      asked.map(({ side, row }) => row.map((id) => side.nextBin(side.step === -1, id))),
      at,
    );
    asked.forEach(({ side, row }, index) => {
      const next = (answers[index] ?? []).map((answer) => answer && uintAt(answer, 0, 24));
      advance(side, row, next);
    });
    open = open.filter(({ state }) => state === "open");
  }
  return pairs.map(({ activeId }, index) => {
    const [below, above] = [sides[2 * index] as Side, sides[2 * index + 1] as Side];
    if (below.state !== "done" || above.state !== "done") return undefined;
    return [...below.found.toReversed(), activeId, ...above.found];
  });
}

function rowOf({ from, step, row }: Side): readonly number[] {
  const ids = Array.from({ length: row }, (_, index) => from + step * index);
  return ids.filter((id) => id >= 0 && id <= NONE_BELOW);
}

/** Follows the answers of a row from one bin to the next, until they lead out of it or to the end. */
function advance(side: Side, row: readonly number[], next: readonly (bigint | undefined)[]): void {
  const { step, found } = side;
  const before = found.length;
  const first = side.from;
  const last = row.at(-1) ?? first;
  while (side.state === "open" && (side.from - last) * step <= 0) {
    const answer = next[(side.from - first) * step];
    const id = Number(answer);
    if (answer === undefined) side.state = "failed";
    else if (id === (step === -1 ? NONE_BELOW : NONE_ABOVE)) side.state = "done";
    else if ((id - side.from) * step <= 0 || found.length === MAX_BINS) side.state = "failed";
    else {
      found.push(id);
      side.from = id;
    }
  }
  const grows = (found.length - before) * CALLS_PER_BIN >= row.length;
  side.row = grows ? Math.min(LONGEST_ROW, 2 * side.row) : Math.max(FIRST_ROW, side.row / 2);
}

/** The bins of each pair by ascending id, those that hold something; undefined where they cannot be read whole. */
export async function binsOf(
  chain: ChainReader,
  pairs: readonly (Pair & { bin(id: number): Call })[],
  at: BlockRef,
): Promise<readonly (readonly Bin[] | undefined)[]> {
  const ids = await occupiedBins(chain, pairs, at);
  const calls = pairs.map(({ bin }, index) => (ids[index] ?? []).map(bin));
  const answers = await callGroups(chain, calls, at);
  return ids.map((own, index) => {
    const bins = own?.map((id, place) => binIn(id, answers[index]?.[place]));
    if (bins === undefined || bins.some((bin) => bin === undefined)) return undefined;
    return (bins as readonly Bin[]).filter(({ reserveX, reserveY }) => reserveX > 0n || reserveY > 0n);
  });
}

function binIn(id: number, answer: Hex | undefined): Bin | undefined {
  const [reserveX, reserveY] = [0, 1].map((word) => (answer === undefined ? undefined : uintAt(answer, word, 128)));
  return reserveX === undefined || reserveY === undefined ? undefined : { id, reserveX, reserveY };
}
