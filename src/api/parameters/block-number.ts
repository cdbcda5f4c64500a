import type { PastMarket, SwapRequest } from "../../quoting/answer/answers.ts";
import { parseInteger } from "./amount.ts";
import type { Report } from "./report.ts";

const FIELD = "blockNumber";
const MOST = (1n << 64n) - 1n;

/** The market at the block that a request names; undefined where it names none, or one that is not held. */
export function parseBlockNumber(
  text: string | undefined,
  past: PastMarket | undefined,
  report: Report,
): SwapRequest["at"] {
  if (text === undefined) return undefined;
  const range = past?.range();
  const held =
    range === undefined
      ? "No past block is held now: leave it out to have the newest."
      : `Blocks ${range.oldest} to ${range.newest} are held: send one of them, or leave it out to have the newest.`;
  const number = parseInteger(FIELD, text, { most: MOST, hint: () => held }, report);
  if (number === undefined) return undefined;
  const found = past?.at(number);
  if (found !== undefined) return found;
  return report.add(FIELD, "OUT_OF_RANGE", `${FIELD} ${number} is not held. ${held}`);
}
