import type { PastMarket, SwapRequest } from "../../quoting/answer/types.ts";
import { parseInteger } from "./amount.ts";
import type { Report } from "./report.ts";

const FIELD = "blockNumber";
const MOST = (1n << 64n) - 1n;
/** Stretches of blocks that are named, the newest. */
const MAX_NAMED = 4;

/** The market at the block that a request names; undefined where it names none, or one that is not held. */
export function parseBlockNumber(
  text: string | undefined,
  past: PastMarket | undefined,
  report: Report,
): SwapRequest["at"] {
  if (text === undefined) return undefined;
  const stretches = past?.held() ?? [];
  const held =
    stretches.length === 0
      ? "No past block is held now: leave it out to have the newest."
      : `Blocks ${shownBlocks(stretches)} are held: send one of them, or leave it out to have the newest.`;
  const number = parseInteger(FIELD, text, { most: MOST, hint: () => held }, report);
  if (number === undefined) return undefined;
  const found = past?.at(number);
  if (found !== undefined) return found;
  return report.add(FIELD, "OUT_OF_RANGE", `${FIELD} ${number} is not held. ${held}`);
}

/** Stretches of blocks in words: `36 to 86, and 101`. */
function shownBlocks(stretches: ReturnType<PastMarket["held"]>): string {
  const words = stretches
    .slice(-MAX_NAMED)
    .map(({ oldest, newest }) => (oldest === newest ? `${oldest}` : `${oldest} to ${newest}`));
  const last = words.pop();
  return words.length === 0 ? `${last}` : `${words.join(", ")}, and ${last}`;
}
