import type { Need } from "../edges/edge-group.ts";
import type { Edge } from "../edges/edges.ts";
import type { Session } from "../session/session.ts";
import type { PaidFlow } from "./paid-flow.ts";

/** Parts of a touch that a flow may lack at a token for what it touches of one pool there. */
const LACKING = 0.05;
/** Part of a touch below which an edge is not touched. */
const LEAST_PART = 1e-3;

/** What a flow touches of the edges on one side of a token, and the one that it touches most of. */
interface Side {
  touches: number;
  part: number;
  most: Edge;
}

/**
 * What a flow in parts of touches breaks: a route that touches a pool which leaves a token touches one that enters it, and
 * the other way round. Of each side of a token the pool that lacks most.
 */
export function brokenNeeds({ source, sink }: Session, { edges, parts }: PaidFlow): Need[] {
  const entering = new Map<number, Side>();
  const leaving = new Map<number, Side>();
  edges.forEach((edge, i) => {
    const part = parts[i] as number;
    if (part < LEAST_PART) return;
    count(leaving, edge.from, edge, part);
    count(entering, edge.to, edge, part);
  });
  const broken: Need[] = [];
  for (const [node, { part, most }] of leaving)
    if (node !== source && part > (entering.get(node)?.touches ?? 0) + LACKING)
      broken.push({ group: { to: node }, by: most });
  for (const [node, { part, most }] of entering)
    if (node !== sink && part > (leaving.get(node)?.touches ?? 0) + LACKING)
      broken.push({ group: { from: node }, by: most });
  return broken;
}

function count(sides: Map<number, Side>, node: number, edge: Edge, part: number): void {
  const side = sides.get(node);
  if (side === undefined) {
    sides.set(node, { touches: part, part, most: edge });
    return;
  }
  side.touches += part;
  if (part <= side.part) return;
  side.part = part;
  side.most = edge;
}
