import type { Address } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import { SHARE_ONE } from "../../domain/route.ts";
import { dealOut } from "../flow/deal-out.ts";
import type { Piece } from "../flow/piece.ts";
import { COARSE, type EdgeProducer, producersOf } from "../flow/producers.ts";
import type { Settled } from "../flow/settled.ts";
import type { PlannedTree } from "./execution.ts";
import { buyTokenOf, sellTokenOf, shareOf, type Wrappers, wrapSteps } from "./plan.ts";
import { sellAmountFor } from "./sell-amount.ts";
import { type Branch, inWholeTouches } from "./whole-touches.ts";

/** Part of a want from which on a touch can give what others leave. */
const LARGE = 0.01;
/** Part of a unit. */
const HALF = 0.5;

/** What one touch, or the taker, wants of a token. */
interface TokenWant {
  readonly token: Address;
  readonly amount: number;
  /** Its place in the order in which touches are carried out: that of each touch from the leg on. */
  readonly place: readonly number[];
  /** Where the branches go that make it. */
  readonly inputs: Branch[];
}

type EdgePiece = Piece<TokenWant, EdgeProducer>;

/** A piece that is made by a touch: its place in order, and where what makes its input goes. */
interface Turn extends EdgePiece {
  readonly place: readonly number[];
  readonly inputs: Branch[];
}

/** A flow as trees. */
export interface PlannedTrees {
  /** As floats have them. */
  readonly trees: readonly PlannedTree[];
  /** The same in whole units of what touches take; undefined where none counts. */
  readonly inWholeUnits: () => readonly PlannedTree[] | undefined;
}

/**
 * A flow as trees, token by token from the bought one back: each touch wants what its pool takes for what it gives, and a
 * producer is touched again only where it serves two consumers.
 */
export function planExactOut(
  settled: Settled,
  order: Extract<SwapOrder, { kind: "exactOut" }>,
  wrappers: Wrappers,
): PlannedTrees {
  const producers = producersOf(settled);
  const legs: Branch[] = [];
  const wants: TokenWant[][] = producers.map(() => []);
  wants.at(-1)?.push({ token: order.buyToken, amount: Number.POSITIVE_INFINITY, place: [], inputs: legs });
  // The first place is that of the sold token.
  for (let at = producers.length - 1; at > 0; at--) {
    const pieces = dealOut(wants[at] as TokenWant[], producers[at] as EdgeProducer[]);
    const turns: Turn[] = [];
    for (const [want, own] of Map.groupBy(pieces, ({ want }) => want)) lineUp(want, own, wrappers, turns);
    for (const [{ edge, from }, own] of Map.groupBy(turns, ({ producer }) => producer)) {
      const token = sellTokenOf(edge);
      let [given, taken] = [0, 0];
      // What a touch takes depends on what its pool has given before.
      for (const { gives, place, inputs } of own.sort((a, b) => inOrder(a.place, b.place))) {
        given += gives;
        const amount = sellAmountFor(edge, given) - taken;
        taken += amount;
        if (from === 0) inputs.push(...wrapped([], order.sellToken, token, amount, wrappers));
        else wants[from]?.push({ token, amount, place, inputs });
      }
    }
  }
  return {
    trees: withShares(legs),
    inWholeUnits: () => {
      const whole = inWholeTouches(legs, Number(order.buyAmount));
      return whole === legs ? undefined : withShares(whole);
    },
  };
}

/** Pieces that stand together, the token that they make and how much of it. */
interface Group {
  readonly made: Address;
  readonly pieces: EdgePiece[];
  gives: number;
}

/**
 * Adds the touches that serve one want to `turns`, the smallest first; what has to be wrapped for it stands together. The
 * last one, which has to give what is left, is the largest that takes fine units.
 */
function lineUp(
  { token, place, inputs }: TokenWant,
  pieces: readonly EdgePiece[],
  wrappers: Wrappers,
  turns: Turn[],
): void {
  const groups: Group[] = [];
  let all = 0;
  for (const piece of pieces) {
    const { producer, gives } = piece;
    const made = buyTokenOf(producer.edge);
    const group = made === token ? undefined : groups.find((one) => one.made === made);
    if (group === undefined) groups.push({ made, pieces: [piece], gives });
    else {
      group.pieces.push(piece);
      group.gives += gives;
    }
    all += gives;
  }
  groups.sort((a, b) => a.gives - b.gives);
  const isFine = ({ pieces, gives }: Group) =>
    gives >= LARGE * all && pieces.every(({ producer, gives: part }) => producer.sell * part >= COARSE * producer.buys);
  const last = groups.findLastIndex(isFine);
  if (last !== -1) groups.push(...groups.splice(last, 1));
  groups.forEach(({ made, pieces, gives }, i) => {
    pieces.sort((a, b) => a.gives - b.gives);
    const branches = pieces.map(({ want, producer, gives: part }, k) => {
      const { edge } = producer;
      const turn = { want, producer, gives: part, place: [...place, i, k], inputs: [] };
      turns.push(turn);
      return { pool: edge.pool, direction: edge.direction, edge, gives: part, inputs: turn.inputs };
    });
    inputs.push(...wrapped(branches, made, token, gives, wrappers));
  });
}

/** Compares places in the order of touches. */
function inOrder(a: readonly number[], b: readonly number[]): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at === a.length ? a.length - b.length : (a[at] as number) - (b[at] ?? Number.NEGATIVE_INFINITY);
}

/** The branches that turn what `inputs` give, or the sold token, into another form of it. */
function wrapped(
  inputs: readonly Branch[],
  from: Address,
  to: Address,
  gives: number,
  wrappers: Wrappers,
): readonly Branch[] {
  return wrapSteps(wrappers, from, to).reduce(
    (below, { pool, direction }) => [{ pool, direction, edge: undefined, gives, inputs: below }],
    inputs,
  );
}

/** Shares of branches one after another, of what is then left to give. It is rounded up: so each gives the nearest unit. */
function withShares(branches: readonly Branch[]): PlannedTree[] {
  let left = branches.reduce((sum, branch) => sum + branch.gives, 0);
  return branches.map(({ pool, direction, gives, inputs }, i) => {
    const share = i === branches.length - 1 ? SHARE_ONE : shareOf(gives < COARSE ? gives - HALF : gives, left);
    left -= gives;
    return { pool, direction, share, inputs: withShares(inputs) };
  });
}
