import { TOKEN_PAGE, type TokenQuery } from "../../quoting/tokens/token-directory.ts";
import { isPlace } from "../../quoting/tokens/token-ranking.ts";
import { type Account, accountName } from "../keys/key-store.ts";
import type { DecodeProblem } from "../rest/decode-problem.ts";
import { parseAddress } from "./address.ts";
import { elementsOf } from "./list-elements.ts";
import { invalidParameters, violationOf } from "./parse-request.ts";
import { createReport, type Report, shown } from "./report.ts";

/** The parameters as they came, whatever the protocol. */
interface RawTokensRequest {
  readonly search?: string | undefined;
  readonly addresses: readonly string[];
  readonly pageSize?: number | undefined;
  readonly cursor?: string | undefined;
}

/** In the order in which their problems are told. */
const PARAMETERS = ["search", "addresses", "pageSize", "cursor"] as const;

/**
 * Checks the parameters of a list of tokens.
 * @throws SwapError INVALID_PARAMETERS with every violation at once, those of decoding included
 */
export function parseTokensRequest(
  raw: RawTokensRequest,
  { account, problems }: { readonly account: Account; readonly problems: readonly DecodeProblem[] },
): TokenQuery {
  const report = createReport();
  const search = raw.search === undefined ? undefined : parseSearch(raw.search, report);
  const addresses = parseAddresses(raw.addresses, report);
  const most = parsePageSize(raw.pageSize, report);
  const after = raw.cursor === undefined ? undefined : parseCursor(raw.cursor, raw.search ?? "", report);
  if (raw.addresses.length > 0) {
    for (const field of ["search", "pageSize", "cursor"] as const) {
      if (raw[field] === undefined) continue;
      report.add(field, "CONFLICT", `${field} cannot be combined with addresses. Leave one of them out.`);
    }
  }
  const violations = [...problems.map(inOwnRange).map(violationOf), ...report.violations];
  if (violations.length > 0) {
    const at = (field: string) => (PARAMETERS as readonly string[]).indexOf(field) >>> 0;
    throw invalidParameters(violations.sort((a, b) => at(a.field) - at(b.field)));
  }
  if (raw.addresses.length > 0) return { kind: "addresses", addresses, account: accountName(account) };
  return { kind: "page", most, ...(search !== undefined && { search }), ...(after !== undefined && { after }) };
}

/** Cursor that continues behind a place. */
export function cursorOf(place: string, search: string | undefined): string {
  return Buffer.from(JSON.stringify([place, normalSearch(search ?? "")])).toString("base64url");
}

function normalSearch(text: string): string {
  return text.trim().toLowerCase();
}

function parseSearch(text: string, report: Report): string | undefined {
  const search = normalSearch(text);
  if (search === "") {
    return report.add("search", "OUT_OF_RANGE", "search is empty. Send a part of a symbol or a name, or leave it out.");
  }
  if (search.length <= TOKEN_PAGE.mostSearchLength) return search;
  const description = `search has ${search.length} characters. Send a part of the symbol or the name, at most ${TOKEN_PAGE.mostSearchLength}.`;
  return report.add("search", "OUT_OF_RANGE", description);
}

function parseAddresses(given: readonly string[], report: Report) {
  const texts = elementsOf("addresses", given, report);
  if (texts.length > TOKEN_PAGE.mostAddresses) {
    const description = `addresses has ${texts.length} addresses. Send at most ${TOKEN_PAGE.mostAddresses}, and the others in further calls.`;
    report.add("addresses", "OUT_OF_RANGE", description);
    return [];
  }
  return texts.flatMap((text) => parseAddress("addresses", text, "token", report) ?? []);
}

/** Restates a size's range problem with the API's range instead of its type's. */
function inOwnRange(problem: DecodeProblem): DecodeProblem {
  if (problem.field !== "pageSize" || problem.kind !== "type") return problem;
  const given = problem.description.slice(problem.description.indexOf("Given:"));
  return {
    ...problem,
    description: `pageSize must be a whole number between 1 and ${TOKEN_PAGE.mostTokens}. ${given}`,
  };
}

function parsePageSize(size: number | undefined, report: Report): number {
  if (size === undefined) return TOKEN_PAGE.tokens;
  if (size < 1 || size > TOKEN_PAGE.mostTokens) {
    const description = `pageSize must be between 1 and ${TOKEN_PAGE.mostTokens}. Given: ${size}.`;
    report.add("pageSize", "OUT_OF_RANGE", description);
  }
  return size;
}

/** The place behind which the next page begins. */
function parseCursor(text: string, search: string, report: Report): string | undefined {
  const parts = decodeCursor(text);
  if (parts === undefined) {
    const description = `cursor must be the nextCursor of a page, as it is. Leave it out for the first page. Given: ${shown(text)}.`;
    return report.add("cursor", "INVALID_CURSOR", description);
  }
  if (parts.search === normalSearch(search)) return parts.place;
  const description = `cursor belongs to the search ${JSON.stringify(parts.search)}. Send it with the same search, or leave it out.`;
  return report.add("cursor", "INVALID_CURSOR", description);
}

function decodeCursor(text: string): { readonly place: string; readonly search: string } | undefined {
  // Longer than any that was given out: a search has 64 characters of 4 bytes at most, each escaped.
  if (text.length > 1_024) return undefined;
  try {
    const decoded: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (!Array.isArray(decoded) || decoded.length !== 2) return undefined;
    const [place, search] = decoded as readonly unknown[];
    return typeof place === "string" && isPlace(place) && typeof search === "string" ? { place, search } : undefined;
  } catch {
    return undefined;
  }
}
