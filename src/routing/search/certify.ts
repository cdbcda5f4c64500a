import { NATIVE_TOKEN } from "../../domain/address.ts";
import { curveOf } from "../../pools/pool.ts";
import { boundOf, type PriceProof, roomOf } from "../bound/measure.ts";
import { pathBound } from "../bound/path-bound.ts";
import type { Relaxed } from "../bound/relax.ts";
import type { Room } from "../edges/trade-at.ts";
import { mostSoldFor } from "../flow/goal.ts";
import type { RouteRequest } from "../router.ts";
import type { Search } from "../session/search.ts";
import type { Evaluated } from "./integers.ts";

/** Gap above an answer from which a bound by paths is computed, relative to its proceeds or spending. */
const WORTH_A_LOOK = 1e-4;
/** Largest gap of a useful bound by paths, likewise. */
const OF_USE = 0.01;
/** Slots and labels that a bound by paths may look at, and where arbitrage is more than the trade. */
const MANY_STEPS = 20_000;
const FEW_STEPS = 5_000;

/** Bound of an answer in base units: by prices, and with gas by paths if these leave a gap; undefined where prices have none. */
export function certify(search: Search, relaxed: Relaxed, proof: PriceProof, answer: Evaluated): bigint | undefined {
  const byPrices = boundByPrices(search, proof);
  if (byPrices === undefined || search.costPerGas === 0) return byPrices;
  const most = Number(search.side === "exactIn" ? byPrices : -byPrices);
  const value = Number(answer.value);
  if (Math.abs(most - value) <= WORTH_A_LOOK * Math.abs(value)) return byPrices;
  // Few trades meet pools that ask for it.
  let known: Room | undefined;
  const room: Room = (node) => {
    known ??= roomOf(search, mostSoldFor(search, answer.flow), relaxed);
    return known(node);
  };
  const limit = Math.min(most, value + OF_USE * Math.abs(value));
  const mostSteps = relaxed.hopeless ? FEW_STEPS : MANY_STEPS;
  const useful = { room, wrapGas: leastWrapGas(search.request), limit, mostSteps };
  const byPaths = pathBound(search, answer.flow, useful);
  if (byPaths === undefined) return byPrices;
  return search.side === "exactIn" ? BigInt(Math.ceil(byPaths)) : BigInt(Math.max(0, Math.floor(-byPaths)));
}

/** Bound that a proof by prices gives, in base units; undefined where it gives none. */
export function boundByPrices(search: Search, proof: PriceProof): bigint | undefined {
  return boundOf(proof, search, wrapGasOf(search));
}

/** The gas of wrapping that no route can do without: the native token is sold or bought and no pool holds it itself. */
function wrapGasOf({ request }: Search): number {
  const { order, graph, allows } = request;
  if (order.sellToken !== NATIVE_TOKEN && order.buyToken !== NATIVE_TOKEN) return 0;
  const isHeld = graph.poolsOf(NATIVE_TOKEN).some((pool) => allows(pool) && curveOf(pool).oneToOneGas === undefined);
  return isHeld ? 0 : leastWrapGas(request);
}

/** Least gas to turn the native token into another form of it, or back; 0 if nothing does. */
function leastWrapGas({ graph, allows }: RouteRequest): number {
  const gases = graph.poolsOf(NATIVE_TOKEN).flatMap((pool) => {
    const gas = allows(pool) ? curveOf(pool).oneToOneGas?.(pool.state) : undefined;
    return gas === undefined ? [] : [Number(gas)];
  });
  return gases.length === 0 ? 0 : Math.min(...gases);
}
