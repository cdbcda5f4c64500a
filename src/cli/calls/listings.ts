import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";
import { ListSourcesResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { GetChainResponseSchema, ListTokensResponseSchema } from "#gen/swap/v1/tokens_pb.ts";
import { type Chain, type Tokens, type TokensRequest, toDecimal } from "../../client/index.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { connect } from "../connection/connection.ts";
import { withProgress } from "../connection/progress.ts";
import { columns } from "../view/table.ts";

const NATIVE_DECIMALS = 18;
/** Digits of numbers that are compared by eye; --json has all. */
const DIGITS = 8;

export async function sources(given: Invocation): Promise<ExitCode> {
  const { client, call, url } = connect(given);
  const answer = await withProgress(`waiting for ${url}`, given.note, client.sources(call));
  if (given.has("json")) {
    given.print(jsonOf(ListSourcesResponseSchema, answer));
    return EXIT.ok;
  }
  const rows = answer.sources.map((it) => [
    ...[it.name, it.kind, it.pools, it.sleepingPools, it.status, it.blockNumber],
    ...[it.exactOut ? "yes" : "no", it.assurance],
  ]);
  const head = ["source", "kind", "pools", "asleep", "status", "block", "exact-out", "maths"];
  given.print(columns([head, ...rows], [2, 3, 5]).join("\n"));
  return EXIT.ok;
}

export async function tokens(given: Invocation): Promise<ExitCode> {
  const { client, call, url } = connect(given);
  const request = requestOf(given);
  const answer = await withProgress(`waiting for ${url}`, given.note, client.tokens(request, call));
  if (given.has("json")) {
    given.print(jsonOf(ListTokensResponseSchema, answer));
    return EXIT.ok;
  }
  const head = ["token", "address", "decimals", "per native", "depth", "pools", "kept out"];
  given.print(columns([head, ...answer.tokens.map(rowOf)], [2, 3, 4, 5]).join("\n"));
  if (answer.nextCursor !== undefined) given.note(`more: --cursor ${answer.nextCursor}`);
  return EXIT.ok;
}

/** @throws UsageError */
function requestOf({ positionals, text }: Invocation): TokensRequest {
  const size = text("page-size");
  if (size !== undefined && !/^\d{1,9}$/.test(size))
    throw new UsageError(`--page-size: ${size} is not a number: give 1 to 100`);
  const page = { cursor: text("cursor"), pageSize: size === undefined ? undefined : Number(size) };
  const areAddresses = positionals.length > 0 && positionals.every((word) => /^0x/i.test(word));
  if (areAddresses) return { ...page, addresses: positionals };
  return positionals.length === 0 ? page : { ...page, search: positionals.join(" ") };
}

function rowOf({ symbol, address, decimals, nativeRate, depth, pools, keptOut }: Tokens["tokens"][number]) {
  return [
    ...[symbol, address, decimals === undefined ? "?" : String(decimals), cut(nativeRate)],
    ...[depth === undefined ? "?" : cut(toDecimal(BigInt(depth), NATIVE_DECIMALS)), pools, keptOut ?? ""],
  ];
}

/** A plain decimal with its first digits behind the point. */
function cut(decimal: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const zeros = whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) : -whole.length;
  const kept = fraction.slice(0, Math.max(0, DIGITS + zeros)).replace(/0+$/, "");
  return kept === "" ? whole : `${whole}.${kept}`;
}

export async function chain(given: Invocation): Promise<ExitCode> {
  const { client, call, url } = connect(given);
  const answer = await withProgress(`waiting for ${url}`, given.note, client.chain(call));
  given.print(given.has("json") ? jsonOf(GetChainResponseSchema, answer) : columns(chainRows(answer), []).join("\n"));
  return EXIT.ok;
}

function chainRows(answer: Chain): readonly (readonly string[])[] {
  const { block, contracts, limits, nativeToken } = answer;
  const state = contracts?.deployed === undefined ? "being looked for" : contracts.deployed ? "yes" : "no";
  return [
    ["chain", `${answer.chainId} ${answer.name}`],
    ["native", `${nativeToken?.symbol}, wrapped ${answer.wrappedNative}`],
    ["block", block === undefined ? (answer.unavailable ?? "none") : `${block.blockNumber} ${block.blockHash}`],
    ...(block === undefined
      ? []
      : [
          ["age", `${block.ageSeconds} s`],
          ["gas price", `${block.gasPrice} wei`],
        ]),
    ["gateway", contracts?.gateway ?? ""],
    ["Permit2", contracts?.permit2 ?? ""],
    ["orders", contracts?.orderSettlement ?? ""],
    ["deployed", state],
    ["limits", `${limits?.maxHops} hops, ${limits?.maxFills} fills, quotes hold ${limits?.quoteTtlSeconds} s`],
    ["version", answer.version],
  ];
}

function jsonOf<Desc extends DescMessage>(schema: Desc, answer: MessageShape<Desc>): string {
  return JSON.stringify(toJson(schema, answer, { alwaysEmitImplicit: true }), null, 2);
}
