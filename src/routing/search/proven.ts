import { NATIVE_TOKEN } from "../../domain/address.ts";
import { curveOf } from "../../pools/pool.ts";
import { boundOf } from "../bound/certificate.ts";
import type { PriceProof } from "../bound/measure.ts";
import { purchaseProof } from "../bound/purchase-proof.ts";
import { type Relaxed, relax } from "../bound/relax.ts";
import type { Goal } from "../flow/goal.ts";
import type { RouteRequest } from "../router.ts";
import type { Session } from "../session/session.ts";
import type { Evaluated } from "./integers.ts";
import { type Between, provenBetweenEnds } from "./proven-between-ends.ts";

/** What has to be open above an answer, as a part of what it brings or takes, for a closer look. */
const WORTH_A_LOOK = 1e-4;
/** The same above a purchase, for prices to be minimised once more. */
const MUCH = 5e-4;

/**
 * What is proven of an answer, in base units: what prices prove, and where that leaves something open without gas, what whole
 * base units at the ends of the trade do.
 */
export function provenOf(
  request: RouteRequest,
  session: Session,
  goal: Goal,
  relaxed: Relaxed,
  proof: PriceProof,
  answer: Evaluated,
  between: Between,
): bigint {
  const proven = provenByPrices(request, session, goal, relaxed, proof, answer);
  const value = Math.abs(Number(answer.value));
  if (goal.costPerGas > 0 || relaxed.hopeless || Math.abs(Number(proven) - value) <= WORTH_A_LOOK * value)
    return proven;
  const { order } = request;
  const other = provenBetweenEnds(order, session, answer, between);
  const isMore = order.kind === "exactIn" ? (one: bigint) => one < proven : (one: bigint) => one > proven;
  return other !== undefined && isMore(other) ? other : proven;
}

/**
 * What prices prove: where much is open above a purchase without gas, also at prices that are minimised once more from its
 * own.
 */
function provenByPrices(
  request: RouteRequest,
  session: Session,
  goal: Goal,
  relaxed: Relaxed,
  proof: PriceProof,
  { value, flow }: Evaluated,
): bigint {
  let bound = boundOf(proof, goal, wrapGasOf(request));
  if (goal.kind === "sell" || goal.costPerGas > 0 || relaxed.hopeless) return bound;
  const sellAmount = Number(-value);
  const open = () => (sellAmount - Number(bound)) / sellAmount;
  const take = (one: PriceProof): void => {
    // Near all that pools hold prices may be beyond what floats can tell: then they prove nothing more.
    if (Number.isNaN(one.earned + one.volume)) return;
    const other = boundOf(one, goal, wrapGasOf(request));
    if (other > bound) bound = other;
  };
  if (open() <= WORTH_A_LOOK) return bound;
  take(purchaseProof(session, relaxed.logPrices, sellAmount, goal.amount));
  if (relaxed.isUnfinished && open() > MUCH && !session.over()) {
    // From the answer's own prices, as those of a sale of what it takes, they may come closer.
    const again = relax(session, flow.logPrices, sellAmount);
    take(again.measured.proof);
    if (open() > MUCH) take(purchaseProof(session, again.logPrices, sellAmount, goal.amount));
  }
  return bound;
}

/** The gas of wrapping that no route can do without: the native token is sold or bought and no pool holds it itself. */
function wrapGasOf({ order, graph, allows }: RouteRequest): number {
  if (order.sellToken !== NATIVE_TOKEN && order.buyToken !== NATIVE_TOKEN) return 0;
  const gases = graph
    .poolsOf(NATIVE_TOKEN)
    .filter(allows)
    .map((pool) => Number(curveOf(pool).oneToOneGas?.(pool.state) ?? 0n));
  return gases.length === 0 ? 0 : Math.min(...gases);
}
