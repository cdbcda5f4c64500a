import type { Address } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Token } from "../../domain/token.ts";
import type { RouteLimits } from "../../quoting/answer/route-limits.ts";
import { parseAddress } from "./address.ts";
import { parseInteger } from "./amount.ts";
import { elementsOf } from "./list-elements.ts";
import { type Report, shown } from "./report.ts";

/** Pools or tokens that one list may name. */
export const MAX_NAMED = 64;

/** Elements that are explained one by one: the answer to a list of nonsense stays an answer. */
const MAX_EXPLAINED = 10;

/** An address, or a longer id of the venue's own. */
const POOL_ID = /^0x(?:[0-9a-f]{2}){20,64}$/;
/** A pair of a market maker's. */
const MAKER_PAIR = /^maker:[^:,\s]{1,64}:0x[0-9a-f]{40}:0x[0-9a-f]{40}$/;

/** The most pools of a path, and fills of a route, that the service looks for. */
export interface MostOfRoutes {
  readonly maxHops: number;
  readonly maxFills: number;
}

/** Route limits as they came. */
export interface RawRouteLimits {
  readonly excludedPools: readonly string[];
  readonly excludedTokens: readonly string[];
  readonly connectorTokens: readonly string[];
  readonly maxHops?: string | undefined;
  readonly maxFills?: string | undefined;
}

/** Parses a request's limits on routes; undefined if it has none. Empty lists count as not given. */
export function parseRouteLimits(
  raw: RawRouteLimits,
  { most, pair }: { readonly most: MostOfRoutes; readonly pair: readonly (Token | undefined)[] },
  report: Report,
): RouteLimits | undefined {
  const excludedPools = parseEach("excludedPools", raw.excludedPools, parsePool, report);
  const excludedTokens = parseEach("excludedTokens", raw.excludedTokens, parseTokenAddress, report);
  const connectorTokens = parseEach("connectorTokens", raw.connectorTokens, parseTokenAddress, report);
  const maxHops = parseCount("maxHops", raw.maxHops, most.maxHops, report);
  const maxFills = parseCount("maxFills", raw.maxFills, most.maxFills, report);
  for (const token of pair) {
    if (token === undefined || !excludedTokens.includes(token.address)) continue;
    const description = `excludedTokens names a token of the swap, ${token.address}. Leave it out.`;
    report.add("excludedTokens", "CONFLICT", description);
  }
  const both = connectorTokens.find((token) => excludedTokens.includes(token));
  if (both !== undefined) {
    const description = `connectorTokens and excludedTokens both name ${both}. Send it in one of them.`;
    report.add("connectorTokens", "CONFLICT", description);
  }
  const lists = [excludedPools, excludedTokens, connectorTokens];
  if (lists.every((list) => list.length === 0) && maxHops === undefined && maxFills === undefined) return undefined;
  return {
    ...{ excludedPools, excludedTokens, connectorTokens },
    ...(maxHops !== undefined && { maxHops }),
    ...(maxFills !== undefined && { maxFills }),
  };
}

/** The elements of a list, each once and sorted: two lists of the same elements are the same request. */
function parseEach<T extends string>(
  field: string,
  given: readonly string[],
  parse: (field: string, text: string, report: Report) => T | undefined,
  report: Report,
): readonly T[] {
  const texts = new Set(elementsOf(field, given, report).filter((text) => text !== ""));
  if (texts.size > MAX_NAMED) {
    report.add(field, "OUT_OF_RANGE", `${field} has ${texts.size} elements. Send at most ${MAX_NAMED}.`);
    return [];
  }
  const found = new Set<T>();
  let wrong = 0;
  for (const text of texts) {
    const value = parse(field, text, report);
    if (value !== undefined) found.add(value);
    else if (++wrong === MAX_EXPLAINED) break;
  }
  return [...found].sort();
}

function parsePool(field: string, text: string, report: Report): PoolId | undefined {
  const id = text.toLowerCase();
  if (POOL_ID.test(id) || MAKER_PAIR.test(id)) return id;
  const instead = "Send the pool's id as route.fills of an answer shows it, or its contract's address.";
  return report.add(field, "INVALID_POOL", `${field}: ${shown(text)} is no pool. ${instead}`);
}

function parseTokenAddress(field: string, text: string, report: Report): Address | undefined {
  return parseAddress(field, text, "token", report);
}

/** A count from 1; undefined also for the most that there is, which limits nothing. */
function parseCount(field: string, text: string | undefined, most: number, report: Report): number | undefined {
  if (text === undefined) return undefined;
  const range = `Send 1 to ${most}.`;
  const value = parseInteger(field, text, { most: BigInt(most), hint: () => range }, report);
  if (value === 0n) return report.add(field, "OUT_OF_RANGE", `${field} is 0. ${range}`);
  return value === undefined || value === BigInt(most) ? undefined : Number(value);
}
