import type { Clock } from "../rpc/clock.ts";
import type { Node } from "./node.ts";

/** A second node is asked when the first has taken so many times its mean, within these bounds. */
const SLOW = 3;
const MIN_HEDGE_MS = 100;
const MAX_HEDGE_MS = 1_500;

/** The first answer of two nodes, of which the second is asked only when the first is slow. */
export function hedged(
  request: Parameters<Node["request"]>,
  first: Node,
  second: Node,
  clock: Clock,
): Promise<unknown> {
  const afterMs = Math.min(Math.max(first.latencyMs() * SLOW, MIN_HEDGE_MS), MAX_HEDGE_MS);
  return new Promise((resolve, reject) => {
    let open = 1;
    const cancel = clock.after(afterMs, () => {
      open += 1;
      second.request(...request).then(resolve, failed);
    });
    const failed = (error: unknown) => {
      cancel();
      open -= 1;
      if (open === 0) reject(error);
    };
    first.request(...request).then((answer) => {
      cancel();
      resolve(answer);
    }, failed);
  });
}
