import { proveAtFirst } from "../bound/bound.ts";
import { leaveOutDear } from "../bound/dearest-unit.ts";
import { sumOf } from "../bound/measure.ts";
import { openAbove } from "../bound/open-above.ts";
import { isHopeless, type Purchase, type Relaxed, relax, resting } from "../bound/relax.ts";
import { shortage } from "../bound/shortage.ts";
import { mayTouchAgain } from "../edges/may-touch-again.ts";
import { amountOf, type Goal, isBest, isBetter, isShort, mostSoldFor, resize } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { startingFlow } from "../paths/starting-flow.ts";
import { closeEnough, type Session } from "../session/session.ts";
import { filledByChunks, filledFinely } from "./by-chunks.ts";
import { choosePools } from "./choose-pools.ts";
import { climb, LEAST_PROGRESS } from "./climb.ts";
import { crossed } from "./cross.ts";
import { crowdedFlow } from "./crowd.ts";
import { fillUp } from "./fill-up.ts";
import { flowOver } from "./flow-over.ts";
import { fillsTaken, prune, uncrowd } from "./prune.ts";
import { reordered } from "./reorder.ts";
import type { Proven, SearchOutcome } from "./search-outcome.ts";
import { Trail } from "./trail.ts";

/** How many times what an amount to buy seems to take, by what a part of it does, it may sell at most. */
const MARGIN = 2;
/** Part of all fills from which on a flow has as good as all of them. */
const FULL = 0.9;
/** Part of all fills up to which ways off the best path may lead to more than those off a flow, where pools are in line. */
const SMALL = 0.5;
/** What a proof may leave open above a flow that is not looked at further, as a part of the trade's value. */
const CLOSE_ENOUGH = 2e-5;
/** The same without gas in multiples of what may be open at all, where a search has cost little. */
const CLOSELY = 10;
/** The same above a flow that has as good as all fills, for the limit of fills to be minimised with. */
const CROWDED = 2e-4;
/** The same above a flow that pays a charge for touches, for the prices to have gone astray: its own are then begun with. */
const ASTRAY = 0.1;
/** What pools may earn, likewise, that no route has the touches for, for prices without that limit to be minimised to the end. */
const TOO_MANY = 5e-4;
/** Part of its steps up to which a search for a sale exchanges pools of a flow that has as good as all fills. */
const EXCHANGING = 1 / 32;
/** Touches that may be open above the best path for ways off it to be all that is looked for: a flow without gas takes far more. */
const FEW = 4;
/** What a proof may leave open, likewise, for a fill by chunks to be tried as well, and for fine ones and other orders of tokens. */
const LOOSE = 0.01;
const OPEN = 0.001;
/**
 * The same above the last flow, for the prices to be looked for once more from that flow's own, and above one that has as
 * good as all fills, for ways to be looked for that bring more than others of its own.
 */
const WORTH_ANOTHER_LOOK = 1e-4;

/**
 * The trade over all pools at once, put back into the shape of a route; where gas or that shape make a difference,
 * columns that earn more than their gas join, and what does not is dropped.
 */
export function searchFlow(session: Session, goal: Goal): SearchOutcome | undefined {
  const first = startingFlow(session, goal);
  if (first === undefined) return undefined;
  leaveOutDear(session, goal, first);
  // Where no path pays an amount, what it takes at least is about what a part of it takes, so many times.
  const sellAmount = isShort(goal, first) ? (first.sellAmount * goal.amount) / first.buyAmount : first.sellAmount;
  const isLost = isHopeless(session, goal.kind === "sell" ? first.buyAmount : goal.amount);
  const short = isShort(goal, first) && !isLost ? shortage(session, goal, first) : undefined;
  if (short !== undefined) {
    // What there is room for is still to be named.
    const chunks = filledByChunks(session, goal);
    return {
      found: chunks === undefined ? [first] : [first, chunks],
      relaxed: short,
      proof: short.measured.proof,
      charged: undefined,
      isImpossible: true,
    };
  }
  const crowded = goal.kind === "sell" ? { part: TOO_MANY, costPerGas: goal.costPerGas } : undefined;
  const purchase = purchaseOf(session, goal, first);
  const atFirst = isLost
    ? resting(session, sellAmount)
    : relax(session, first.logPrices, sellAmount, { crowded, purchase });
  let known = provenBy(session, goal, sellAmount, atFirst);
  // Where the best path is as good as it gets, gas leaves nothing to split.
  if (goal.costPerGas > 0 && first.stuck === 0 && !isShort(goal, first)) {
    const open = openAbove(session, goal, known.proof, first);
    if (open <= LEAST_PROGRESS) return { found: [first], ...known };
    if (open <= (FEW * session.leastGas * goal.costPerGas) / amountOf(goal, first))
      return {
        found: [first, climbed(session, goal, { first, chunks: undefined, best: first }, known, new Trail())],
        ...known,
      };
  }
  let best = first;
  const gross: Goal = { ...goal, costPerGas: 0 };
  const spread = flowOver(session, gross, sellAmount, known.relaxed.edges(), known.relaxed.logPrices);
  if (spread !== undefined) {
    if (goal.kind === "buy" && !isShort(goal, spread) && spread.sellAmount > known.relaxed.mostSold) {
      const own = { purchase: purchaseOf(session, goal, spread) };
      const again = relax(session, known.relaxed.logPrices, spread.sellAmount, own);
      known = provenBy(session, goal, spread.sellAmount, again);
    }
    const pruned = goal.costPerGas > 0 ? prune(session, goal, spread) : spread;
    if (isBetter(session, goal, pruned, best)) best = pruned;
  }
  const isCrowded = known.relaxed.isCrowded || isMissingFills(session, goal, known, best, spread);
  if (goal.kind === "sell" && isCrowded && !known.relaxed.hopeless && !session.over()) {
    const { flow, ...better } = crowdedFlow(session, goal, known, best, CROWDED);
    known = better;
    best = flow ?? best;
    if (openAbove(session, goal, known.proof, best) > ASTRAY && !session.over()) {
      const again = provenBy(session, goal, sellAmount, relax(session, best.logPrices, sellAmount));
      if (sumOf(again.proof, sellAmount) < sumOf(known.proof, sellAmount)) known = again;
    }
  }
  // Where less than the gas of a touch is open, it is not chunks that are missing.
  const touch = (session.leastGas * goal.costPerGas) / amountOf(goal, best);
  const isLoose =
    isShort(goal, best) ||
    (openAbove(session, gross, known.relaxed.measured.proof, spread ?? first) > LOOSE &&
      openAbove(session, goal, known.proof, best) > LOOSE + touch);
  const chunks = isLoose && !isFull(goal, best) && !session.over() ? filledByChunks(session, goal) : undefined;
  if (chunks !== undefined && isBetter(session, goal, chunks, best)) best = chunks;
  // Floats may see more in dust than there is: chunks were filled in whole units, so that this flow is tried as it is.
  const found = chunks === undefined ? [first] : [first, chunks];
  if (goal.costPerGas > 0 && best.stuck > 0 && !session.over()) {
    // Room for all of the trade comes first, whatever gas it takes.
    const whole = searchFlow(session, gross)?.found.at(-1) ?? best;
    const paying = whole.stuck > 0 ? whole : climb(session, goal, prune(session, goal, whole));
    return { found: [...found, whole, paying], ...known };
  }
  const full = isFull(goal, best);
  const trail = new Trail();
  best = climbed(session, goal, { first, chunks, best }, known, trail);
  const finely = mayFillFinely(session, goal, known, best) ? filledFinely(session, goal) : undefined;
  if (finely !== undefined) {
    const other = climb(session, goal, finely);
    trail.end(other);
    if (isBetter(session, goal, other, best)) {
      // Chunks were filled in whole units: floats may see more in ways off them than there is.
      found.push(best, finely);
      best = other;
    }
  }
  if (isStillOpen(session, goal, known, best)) {
    // A purchase's trees lose in integers what floats see in two of its flows together.
    for (const change of goal.kind === "sell" ? [reordered, crossed] : [reordered]) {
      const other = change(session, goal, best, trail);
      if (other === best) continue;
      found.push(best);
      best = other;
    }
  }
  if (goal.costPerGas > 0 || known.relaxed.hopeless || full || session.over())
    return { found: [...found, best], ...known };
  const { flow, ...again } = lookedAgain(session, goal, best, known);
  return { found: [...found, flow], ...again };
}

/** The purchase that a flow is one of, or of a part of it. */
function purchaseOf(session: Session, goal: Goal, flow: Settled): Purchase | undefined {
  if (goal.kind === "sell") return undefined;
  const mostSold = isShort(goal, flow)
    ? (MARGIN * flow.sellAmount * goal.amount) / flow.buyAmount
    : mostSoldFor(session, goal, flow);
  return { amount: goal.amount, mostSold };
}

/**
 * Whether a sale is open by so much, and touches pools of several tokens, that finer chunks over these may find more: prices
 * and coarse ones count each of their pairs as a pool of its own.
 */
function mayFillFinely(session: Session, goal: Goal, known: Proven, best: Settled): boolean {
  if (goal.kind === "buy" || !best.support.edges.some((edge) => mayTouchAgain(edge.pool))) return false;
  return isStillOpen(session, goal, known, best);
}

/** Whether `OPEN` of the trade and the gas of a touch are open above a flow, and it is not for want of fills. */
function isStillOpen(session: Session, goal: Goal, { proof }: Proven, flow: Settled): boolean {
  if (session.over() || isFull(goal, flow) || isBest(session, goal, flow)) return false;
  const touch = (session.leastGas * goal.costPerGas) / amountOf(goal, flow);
  return openAbove(session, goal, proof, flow) > OPEN + touch;
}

/**
 * Whether a flow has as good as all fills and much is open above it; or that without gas has, and more is open than the gas of
 * them all: then it is not gas that leaves them out.
 */
function isMissingFills(
  session: Session,
  goal: Goal,
  { proof }: Proven,
  flow: Settled,
  gross: Settled | undefined,
): boolean {
  const open = openAbove(session, goal, proof, flow);
  if (isFull(goal, flow)) return open > CROWDED;
  const gas = (goal.maxFills * session.leastGas * goal.costPerGas) / amountOf(goal, flow);
  return gross !== undefined && isFull(goal, gross) && open > CROWDED + gas;
}

/** Where all fills are taken, what is missing is more fills. */
export function isFull(goal: Goal, flow: Settled): boolean {
  return flow.stuck === 0 && fillsTaken(goal, flow) >= FULL * goal.maxFills;
}

function provenBy(session: Session, goal: Goal, sellAmount: number, relaxed: Relaxed): Proven {
  // Where far more pools than a route may touch are worth their gas, what that is says next to nothing yet.
  const proof = relaxed.isCrowded
    ? relaxed.measured.proof
    : proveAtFirst(session, Math.max(sellAmount, relaxed.mostSold), goal, relaxed);
  return { relaxed, proof, charged: undefined };
}

/** Flows to look for ways off: the best path, that of chunks if there is one, and the best so far. */
interface Starts {
  readonly first: Settled;
  readonly chunks: Settled | undefined;
  readonly best: Settled;
}

/** What ways off these flows come to; where they come by joins the trail. */
function climbed(
  session: Session,
  goal: Goal,
  { first, chunks, best: start }: Starts,
  { relaxed, proof }: Proven,
  trail: Trail,
): Settled {
  const isFree = goal.costPerGas === 0;
  const full = isFull(goal, start);
  const open = openAbove(session, goal, proof, start);
  const least = isFree ? Math.min(CLOSE_ENOUGH, CLOSELY * closeEnough(session)) : closeEnough(session);
  // The limit of fills is minimised with where an amount is sold; a purchase has nothing else.
  const isDear = goal.kind === "sell" && session.spent() > EXCHANGING;
  const whenFull = isDear ? Number.POSITIVE_INFINITY : Math.max(least, WORTH_ANOTHER_LOOK);
  const weighs = full && !relaxed.hopeless;
  let best = start;
  const climbFrom = (flow: Settled) => {
    const other = climb(session, goal, flow, { trail });
    if (isBetter(session, goal, other, best)) best = other;
  };
  if (start.stuck > 0 || open > (full ? whenFull : least)) best = climb(session, goal, start, { trail, weighs });
  // Tokens may come in another order there, which no way off a flow changes.
  if (chunks !== undefined && isFree && !relaxed.hopeless && !full && open > LOOSE && !session.over())
    climbFrom(chunks);
  const isOpen = relaxed.hopeless ? !full : best.support.edges.length <= SMALL * goal.maxFills;
  if (isOpen && !isFree && best !== first && open > least && !session.over()) climbFrom(first);
  if (best.stuck > 0) {
    const filled = uncrowd(session, goal, fillUp(session, best));
    if (isBetter(session, goal, filled, best)) best = climb(session, goal, filled);
  }
  if (!isFree && open > least && !session.over())
    best = choosePools(session, goal, best, [...first.support.edges, ...relaxed.edges()]);
  return resize(session, goal, best, 12);
}

/** Prices looked for once more from a flow's own, where much is open above it, and the flow over what they take. */
function lookedAgain(session: Session, goal: Goal, last: Settled, known: Proven): Proven & { readonly flow: Settled } {
  const open = openAbove(session, goal, known.proof, last);
  if (open <= WORTH_ANOTHER_LOOK) return { ...known, flow: last };
  const purchase = purchaseOf(session, goal, last);
  const relaxed = relax(session, last.logPrices, last.sellAmount, { purchase });
  const again = { relaxed, proof: relaxed.measured.proof, charged: known.charged };
  const other = flowOver(session, goal, last.sellAmount, relaxed.edges(), relaxed.logPrices);
  const flow = other !== undefined && isBetter(session, goal, other, last) ? other : last;
  return { ...(openAbove(session, goal, again.proof, last) < open ? again : known), flow };
}
