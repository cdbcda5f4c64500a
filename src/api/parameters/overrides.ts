import type { Hex } from "../../domain/address.ts";
import type { PendingLog } from "../../quoting/answer/types.ts";
import { parseAddress } from "./address.ts";
import { type Report, shown } from "./report.ts";

const FIELD = "overrides";

/** Logs of one request. */
export const MAX_LOGS = 64;
const MAX_TOPICS = 4;

const TOPIC = /^0x[0-9a-fA-F]{64}$/;
const DATA = /^0x(?:[0-9a-fA-F]{2})*$/;

/** A log as it came. */
export interface RawLog {
  readonly address?: string | undefined;
  readonly topics: readonly string[];
  readonly data?: string | undefined;
}

/** Parameters that a price on top of overrides cannot have: it cannot be simulated. */
export interface RawBeside {
  readonly overrides?: readonly RawLog[];
  readonly takerAddress?: string | undefined;
  readonly skipValidation?: boolean | undefined;
}

/** The logs that a price is on top of; undefined where there are none. */
export function parseOverrides(
  { overrides: raw = [], takerAddress, skipValidation }: RawBeside,
  isAllowed: boolean,
  report: Report,
): readonly PendingLog[] | undefined {
  if (raw.length === 0) return undefined;
  if (!isAllowed) {
    return report.add(
      FIELD,
      "NOT_ALLOWED",
      `${FIELD} are not allowed by the operator (PRICE_OVERRIDES). Leave them out.`,
    );
  }
  if (raw.length > MAX_LOGS) {
    return report.add(FIELD, "OUT_OF_RANGE", `${FIELD} has ${raw.length} logs. Send at most ${MAX_LOGS}.`);
  }
  const simulated =
    takerAddress !== undefined ? "takerAddress" : skipValidation === false ? "skipValidation" : undefined;
  if (simulated !== undefined) {
    const why = `a price on top of ${FIELD} cannot be simulated`;
    return report.add(
      FIELD,
      "CONFLICT",
      `${FIELD} cannot be combined with ${simulated}: ${why}. Leave one of them out.`,
    );
  }
  const logs = raw.map((log, at) => parseLog(`${FIELD}[${at}]`, log, report));
  return logs.every((log) => log !== undefined) ? logs : undefined;
}

function parseLog(field: string, { address, topics, data = "0x" }: RawLog, report: Report): PendingLog | undefined {
  if (address === undefined) {
    return report.add(`${field}.address`, "REQUIRED", `${field}.address is required: the contract that emits the log.`);
  }
  const contract = parseAddress(`${field}.address`, address, "contract", report);
  if (topics.length > MAX_TOPICS) {
    const count = `${field}.topics has ${topics.length} elements.`;
    return report.add(`${field}.topics`, "OUT_OF_RANGE", `${count} Send at most ${MAX_TOPICS}.`);
  }
  const wrong = topics.find((topic) => !TOPIC.test(topic));
  if (wrong !== undefined) {
    const found = `${field}.topics holds ${shown(wrong)}.`;
    return report.add(`${field}.topics`, "INVALID_LOG", `${found} A topic is 0x and 64 hex digits.`);
  }
  if (!DATA.test(data)) {
    const found = `${field}.data is ${shown(data)}.`;
    return report.add(`${field}.data`, "INVALID_LOG", `${found} Send 0x and two hex digits for each byte.`);
  }
  if (contract === undefined) return undefined;
  return { address: contract, topics: topics.map(inLowerCase), data: inLowerCase(data) };
}

function inLowerCase(hex: string): Hex {
  return hex.toLowerCase() as Hex;
}
