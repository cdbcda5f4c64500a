import { SwapError } from "../../domain/errors/swap-error.ts";
import type { SwapRequest } from "../../quoting/answer/types.ts";
import { parseAmount } from "./amount.ts";
import { parseBlockNumber } from "./block-number.ts";
import { elementsOf } from "./list-elements.ts";
import {
  invalidParameters,
  parseRequest,
  type RawParameters,
  type RequestContext,
  violationOf,
} from "./parse-request.ts";
import { createReport, type Report } from "./report.ts";

const OF_THE_BATCH = "blockNumber is one for all requests of a batch. Send it beside requests.";

const NOT_IN_A_BATCH = "overrides cannot be used in a batch. Ask for this price by itself.";

/** Amounts of one ladder, and requests of one batch. */
export const MAX_PRICES = 32;

/** A ladder's parameters as they came: those of a price, with lists in the place of the amount. */
export interface RawLadder extends Omit<RawParameters, "sellAmount" | "buyAmount"> {
  readonly sellAmounts: readonly string[];
  readonly buyAmounts: readonly string[];
}

/**
 * The requests of a ladder, one for each amount in their order.
 * @throws SwapError INVALID_PARAMETERS with every violation at once
 */
export async function parseLadder(raw: RawLadder, context: RequestContext): Promise<readonly SwapRequest[]> {
  const report = createReport();
  const reported = new Set(context.problems.map(({ field }) => field));
  const amounts = parseAmounts(raw, reported, report);
  const { sellAmounts: _sold, buyAmounts: _bought, ...shared } = raw;
  // Any amount will do: what is wrong with those that were given is in the report.
  const any = amounts?.field === "buyAmounts" ? { buyAmount: "1" } : { sellAmount: "1" };
  const request = await parseRequest({ ...shared, ...any }, { ...context, found: report.violations });
  return (amounts?.values ?? []).map((amount) => ({
    ...request,
    amount:
      amounts?.field === "buyAmounts"
        ? { kind: "exactOut", buyAmount: amount }
        : { kind: "exactIn", sellAmount: amount },
  }));
}

/** Amounts of a ladder with the parameter that they stand in. */
interface LadderAmounts {
  readonly field: "sellAmounts" | "buyAmounts";
  readonly values: readonly bigint[];
}

function parseAmounts(raw: RawLadder, reported: ReadonlySet<string>, report: Report): LadderAmounts | undefined {
  const isGiven = (field: LadderAmounts["field"]) => raw[field].length > 0 || reported.has(field);
  const [sells, buys] = [isGiven("sellAmounts"), isGiven("buyAmounts")];
  if (sells && buys) {
    report.add("sellAmounts", "CONFLICT", "sellAmounts cannot be combined with buyAmounts. Send one of them.");
    report.add("buyAmounts", "CONFLICT", "buyAmounts cannot be combined with sellAmounts. Send one of them.");
    return undefined;
  }
  if (!sells && !buys) {
    report.add("sellAmounts", "REQUIRED", "sellAmounts or buyAmounts is required, in base units of its token.");
    report.add("buyAmounts", "REQUIRED", "buyAmounts or sellAmounts is required, in base units of its token.");
    return undefined;
  }
  const field = sells ? "sellAmounts" : "buyAmounts";
  const texts = elementsOf(field, raw[field], report);
  if (texts.length > MAX_PRICES) {
    return report.add(field, "OUT_OF_RANGE", `${field} has ${texts.length} amounts. Send at most ${MAX_PRICES}.`);
  }
  const values = texts.map((text, at) => parseAmount(`${field}[${at}]`, text, undefined, report));
  return { field, values: values.filter((value) => value !== undefined) };
}

/** A batch as it came. */
export interface RawBatch {
  readonly requests: readonly RawParameters[];
  readonly blockNumber?: string | undefined;
}

/**
 * The requests of a batch, in their order; one that is refused for its parameters comes as that refusal.
 * @throws SwapError INVALID_PARAMETERS for a batch that is none
 */
export async function parseBatch(
  { requests: raw, blockNumber }: RawBatch,
  context: RequestContext,
): Promise<readonly (SwapRequest | SwapError)[]> {
  const violations = context.problems.map(violationOf);
  const report = createReport();
  if (raw.length > MAX_PRICES) {
    report.add("requests", "OUT_OF_RANGE", `requests has ${raw.length} elements. Send at most ${MAX_PRICES}.`);
  }
  if (raw.length === 0 && violations.length === 0) {
    report.add("requests", "REQUIRED", `requests is required: 1 to ${MAX_PRICES} of what GetPrice takes.`);
  }
  const at = parseBlockNumber(blockNumber, context.catalog.past, report);
  if (violations.length + report.violations.length > 0) throw invalidParameters([...violations, ...report.violations]);
  const requests: (SwapRequest | SwapError)[] = [];
  for (const each of raw) {
    const own = createReport();
    if (each.blockNumber !== undefined) own.add("blockNumber", "CONFLICT", OF_THE_BATCH);
    if (each.overrides !== undefined && each.overrides.length > 0) own.add("overrides", "CONFLICT", NOT_IN_A_BATCH);
    const { blockNumber: _, overrides: _logs, ...rest } = each;
    const parsed = await parseRequest(rest, { ...context, found: own.violations }).catch((error: unknown) => {
      if (error instanceof SwapError) return error;
      throw error;
    });
    requests.push(parsed instanceof SwapError || at === undefined ? parsed : { ...parsed, at });
  }
  return requests;
}
