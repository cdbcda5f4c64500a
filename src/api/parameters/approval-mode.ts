import type { ApprovalMode } from "../../quoting/answer/types.ts";
import { type Report, shown } from "./report.ts";

const MODES: readonly ApprovalMode[] = ["approve", "permit2", "eip2612", "none"];

/** Parses the approval mode. A signer has to be named: the message and the calldata are for that account alone. */
export function parseApprovalMode(
  text: string | undefined,
  hasTaker: boolean,
  report: Report,
): ApprovalMode | undefined {
  if (text === undefined) return undefined;
  const mode = MODES.find((each) => each === text);
  if (mode === undefined) {
    const description = `approvalMode must be one of ${MODES.join(", ")}. Given: ${shown(text)}.`;
    return report.add("approvalMode", "UNKNOWN_VALUE", description);
  }
  if ((mode === "permit2" || mode === "eip2612") && !hasTaker) {
    const description = `takerAddress is required with approvalMode=${mode}: it is the taker who signs.`;
    report.add("takerAddress", "MISSING_PARTNER", description);
  }
  return mode;
}
