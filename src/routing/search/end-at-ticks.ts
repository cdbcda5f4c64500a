import { stretchOf } from "../../pools/stretch-of.ts";
import type { PaidFlow } from "../charge/paid-flow.ts";
import { type Edge, isStepped } from "../edges/edges.ts";
import { ending } from "../edges/ending.ts";
import { type Goal, isBetter, resize } from "../flow/goal.ts";
import { type Settled, split } from "../flow/settled.ts";
import { connected } from "../flow/support.ts";
import type { Session } from "../session/session.ts";
import { withoutCycles } from "./repair.ts";

/** Part of an amount by which a pool ends before its tick: shares are parts of 10^9, of amounts that are rounded themselves. */
const SHORT = 1e-6;
/** Part of a touch below which an edge is not touched. */
const LEAST_PART = 1e-3;

/** A flow, or the better one over its pools that ends at ticks. */
export function endedAtTicks(session: Session, goal: Goal, flow: Settled, paid: PaidFlow): Settled {
  const { support, sells, sellAmount } = flow;
  const ended = flow.stuck > 0 ? undefined : flowToTicks(session, goal, support.edges, sells, sellAmount, paid);
  return ended !== undefined && isBetter(session, goal, ended, flow) ? ended : flow;
}

/**
 * The flow over edges where gas of some grows with the ticks that they cross: a split knows nothing of it, and goes into a
 * stretch between ticks for less than it costs. So each of these ends with the stretch that it ends in where prices with gas
 * are minimised, or where it sells what is given. Undefined where gas of none grows, or what is left does not take it all.
 */
export function flowToTicks(
  session: Session,
  goal: Goal,
  wanted: readonly Edge[],
  sells: readonly number[],
  sellAmount: number,
  paid: PaidFlow,
): Settled | undefined {
  if (!wanted.some(isStepped)) return undefined;
  const amounts = new Map(wanted.map((edge, i) => [edge, sells[i] as number]));
  paid.edges.forEach((edge, i) => {
    if (amounts.has(edge) && (paid.parts[i] as number) > LEAST_PART) amounts.set(edge, paid.sells[i] as number);
  });
  const ends = new Map<Edge, Edge>();
  for (const [edge, amount] of amounts)
    if (isStepped(edge)) ends.set(edge, ending(edge, (1 - SHORT) * endOfStretch(edge, amount)));
  const edges = connected(session, withoutCycles(wanted, session.source, session.sink));
  const trade = goal.kind === "sell" ? { kind: goal.kind, amount: sellAmount } : goal;
  const flow = edges.length === 0 ? undefined : split(session, edges, trade, paid.logPrices, ends);
  return flow === undefined || flow.stuck > 0 ? undefined : resize(session, goal, flow, 2);
}

/** What an edge has sold by the end of the stretch over which its gas is that of an amount. */
function endOfStretch({ curve }: Edge, amount: number): number {
  const stretches = curve.gasStretches?.(amount) as readonly number[];
  return stretches[stretchOf(stretches, amount)] as number;
}
