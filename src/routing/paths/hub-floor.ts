import type { Search } from "../session/search.ts";
import { payOf } from "./most-gained.ts";
import type { Rounding } from "./whole-units.ts";

/**
 * The value at rest, net of gas, that the best path of at most two pools over one of the hubs brings at the least.
 */
export function hubFloor(search: Search, sellAmount: number, costPerGas: number, whole: Rounding): number {
  const { source, sink, graph, endOf } = search;
  const { start, to, twin, spot, gas, rest, hubs } = graph;
  const { place } = search.workspace;
  hubs.forEach((hub, i) => {
    if (hub !== source && hub !== sink) place[hub] = i;
  });
  const reached = new Float64Array(hubs.length);
  const by = new Int32Array(hubs.length);
  const spent = new Float64Array(hubs.length);
  let best = Number.NEGATIVE_INFINITY;
  search.work.steps += endOf(source) - (start[source] as number) + search.entryEnd - (start[sink] as number);
  for (let slot = start[source] as number; slot < endOf(source); slot++) {
    const target = to[slot] as number;
    const hub = place[target] as number;
    if (hub === -1 && target !== sink) continue;
    const known = hub === -1 ? best : (reached[hub] as number);
    const cost = costPerGas * (gas[slot] as number);
    const charge = hub === -1 ? cost : 0;
    if ((spot[slot] as number) * sellAmount - charge <= known) continue;
    const edge = graph.edgeAt(slot);
    const out = whole(search, edge, sellAmount, payOf(edge, sellAmount));
    if (out === 0 || out - charge <= known || !search.allows(edge)) continue;
    if (hub === -1) best = out - charge;
    else {
      reached[hub] = out;
      by[hub] = edge.poolNumber;
      spent[hub] = cost;
    }
  }
  for (let slot = start[sink] as number; slot < search.entryEnd; slot++) {
    const hub = place[to[slot] as number] as number;
    if (hub === -1 || reached[hub] === 0) continue;
    const available = reached[hub] as number;
    const reverse = twin[slot] as number;
    const cost = costPerGas * (gas[reverse] as number) + (spent[hub] as number);
    if ((spot[reverse] as number) * available - cost <= best) continue;
    const edge = graph.edgeAt(reverse);
    const out = whole(search, edge, available, payOf(edge, available));
    if (out > 0 && out - cost > best && edge.poolNumber !== by[hub] && search.allows(edge)) best = out - cost;
  }
  for (const hub of hubs) place[hub] = -1;
  return best * (rest[sink] as number);
}
