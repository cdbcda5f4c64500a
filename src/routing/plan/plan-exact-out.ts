import type { Address } from "../../domain/address.ts";
import { SHARE_ONE } from "../../domain/route.ts";
import type { Settled } from "../flow/settled.ts";
import { dealOut } from "./deal-out.ts";
import type { PlannedTree } from "./execution.ts";
import type { Piece } from "./piece.ts";
import { buyTokenOf, sellTokenOf, shareOf, type Wrappers, wrapSteps } from "./plan.ts";
import { COARSE, type EdgeProducer, producersOf } from "./producers.ts";
import { sellAmountFor } from "./sell-amount.ts";
import { type Branch, inWholeTouches } from "./whole-touches.ts";

/** Part of a want from which on a touch can give what others leave. */
const LARGE = 0.01;

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
  tokens: { readonly sellToken: Address; readonly buyToken: Address },
  source: number,
  sink: number,
  wrappers: Wrappers,
): PlannedTrees {
  const producers = producersOf(settled);
  const legs: Branch[] = [];
  const wants = new Map<number, TokenWant[]>([
    [sink, [{ token: tokens.buyToken, amount: Number.POSITIVE_INFINITY, place: [], inputs: legs }]],
  ]);
  const { order } = settled.support;
  for (let at = order.length - 1; at > 0; at--) {
    const pieces = dealOut(wants.get(order[at] as number) ?? [], producers[at] as EdgeProducer[]);
    const turns = [...Map.groupBy(pieces, ({ want }) => want)].flatMap(([want, own]) => lineUp(want, own, wrappers));
    for (const [{ edge }, own] of Map.groupBy(turns, ({ producer }) => producer)) {
      const token = sellTokenOf(edge);
      let [given, taken] = [0, 0];
      // What a touch takes depends on what its pool has given before.
      for (const { gives, place, inputs } of own.sort((a, b) => inOrder(a.place, b.place))) {
        given += gives;
        const amount = sellAmountFor(edge, given) - taken;
        taken += amount;
        if (edge.from === source) inputs.push(...wrapped([], tokens.sellToken, token, amount, wrappers));
        else wants.set(edge.from, [...(wants.get(edge.from) ?? []), { token, amount, place, inputs }]);
      }
    }
  }
  return {
    trees: withShares(legs),
    inWholeUnits: () => {
      const whole = inWholeTouches(legs);
      return whole === legs ? undefined : withShares(whole);
    },
  };
}

/**
 * The touches that serve one want, the smallest first; what has to be wrapped for it stands together. The last one, which
 * has to give what is left, is the largest that takes fine units.
 */
function lineUp({ token, place, inputs }: TokenWant, pieces: readonly EdgePiece[], wrappers: Wrappers): Turn[] {
  const groups = [...Map.groupBy(pieces, ({ producer }) => buyTokenOf(producer.edge))].flatMap(([made, own]) =>
    (made === token ? own.map((piece) => [piece]) : [own]).map((group) => {
      return { made, group, gives: group.reduce((sum, { gives }) => sum + gives, 0) };
    }),
  );
  groups.sort((a, b) => a.gives - b.gives);
  const all = groups.reduce((sum, { gives }) => sum + gives, 0);
  const isFine = ({ group, gives }: (typeof groups)[number]) =>
    gives >= LARGE * all && group.every(({ producer, gives: part }) => producer.sell * part >= COARSE * producer.buys);
  const last = groups.findLastIndex(isFine);
  if (last !== -1) groups.push(...groups.splice(last, 1));
  return groups.flatMap(({ made, group, gives }, i) => {
    group.sort((a, b) => a.gives - b.gives);
    const turns = group.map((piece, k) => ({ ...piece, place: [...place, i, k], inputs: [] }));
    const branches = turns.map(({ producer: { edge }, gives: part, inputs: below }) => {
      return { pool: edge.pool, direction: edge.direction, edge, gives: part, inputs: below };
    });
    inputs.push(...wrapped(branches, made, token, gives, wrappers));
    return turns;
  });
}

/** Compares places in the order of touches. */
function inOrder(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((one, i) => one !== b[i]);
  return at === -1 ? a.length - b.length : (a[at] as number) - (b[at] ?? Number.NEGATIVE_INFINITY);
}

/** The branches that turn what `inputs` give, or the sold token, into another form of it. */
function wrapped(inputs: readonly Branch[], from: Address, to: Address, gives: number, wrappers: Wrappers): Branch[] {
  return wrapSteps(wrappers, from, to).reduce<Branch[]>(
    (below, { pool, direction }) => [{ pool, direction, edge: undefined, gives, inputs: below }],
    [...inputs],
  );
}

function withShares(branches: readonly Branch[]): PlannedTree[] {
  let left = branches.reduce((sum, branch) => sum + branch.gives, 0);
  return branches.map(({ pool, direction, gives, inputs }, i) => {
    const share = i === branches.length - 1 ? SHARE_ONE : shareOf(gives, left);
    left -= gives;
    return { pool, direction, share, inputs: withShares(inputs) };
  });
}
