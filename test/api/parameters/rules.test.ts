import { type DescMessage, fromJson, type JsonObject, type Registry, toJson } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { createValidator, type Validator } from "@bufbuild/protovalidate";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { type Client, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import type { FoundProblem } from "../../support/door/parameter-calls.ts";
import { type Changes, type Contract, readContract, ruleCases, rulesOf } from "./rule-values.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const RUNS = LONG ? 1_000 : 2;
const AT_ONCE = 16;
const SEED = Number(process.env.TRIBUTARY_SEED ?? 20261128);

const PAIR = { sellToken: WETH.address, buyToken: USDC.address };

/** A call with a valid request, whose message has rules, and where REST has it. */
interface CheckedCall {
  readonly method: "getPrice" | "getPriceLadder" | "batchGetPrices" | "listTokens";
  readonly path: string;
  readonly valid: Changes;
  /** Name of the message whose rules are tried, where it is not the request itself, and the request with one of it. */
  readonly inside?: { readonly message: string; readonly request: (message: Changes) => Changes };
}

const LOG = { address: WETH.address, topics: [`0x${"1".repeat(64)}`] };
const PRICE = { ...PAIR, sellAmount: "1000" };
const CALLS: readonly CheckedCall[] = [
  { method: "getPrice", path: "/swap/v1/price", valid: PRICE },
  {
    method: "getPrice",
    path: "/swap/v1/price",
    valid: LOG,
    inside: { message: "swap.v1.PendingLog", request: (log) => ({ ...PRICE, overrides: [log] }) },
  },
  { method: "getPriceLadder", path: "/swap/v1/ladder", valid: { ...PAIR, sellAmounts: ["1000"] } },
  { method: "batchGetPrices", path: "/swap/v1/prices", valid: { requests: [PRICE] } },
  { method: "listTokens", path: "/swap/v1/tokens", valid: {} },
];

/** Refusals that a message alone does not show, so that no rule can have them. */
const BEYOND: readonly ((found: FoundProblem) => boolean)[] = [
  // Keccak-256, the chain's tokens and contracts, the service's sources.
  ({ reason }) =>
    ["INVALID_CHECKSUM", "UNKNOWN_TOKEN", "INVALID_RECIPIENT", "UNKNOWN_SOURCE", "NO_SOURCE_LEFT"].includes(reason),
  ({ reason }) => reason === "UNKNOWN_CONTRACT" || reason === "INVALID_CURSOR",
  // The service's own limits, and the blocks that it holds.
  ({ field, reason }) => reason === "OUT_OF_RANGE" && /^(maxHops|maxFills|blockNumber)$/.test(field),
  // Sums and counts inside texts with commas.
  ({ reason, description }) => reason === "OUT_OF_RANGE" && description.includes("adds up to more"),
  ({ field, reason }) => reason === "OUT_OF_RANGE" && /^(sell|buy)Amounts/.test(field),
  // Tokens named twice, in lists with commas.
  ({ field, reason }) => reason === "CONFLICT" && /^(excludedTokens|connectorTokens)$/.test(field),
];

let door: Door;
let contract: Contract;
let registry: Contract["registry"];
let validator: Validator;
let client: Client<typeof SwapService>;
beforeAll(async () => {
  contract = readContract();
  registry = contract.registry;
  validator = createValidator({ registry });
  door = await openDoor();
  client = createClient(SwapService, createGrpcTransport({ baseUrl: door.origin }));
});
afterAll(() => door.server.drain(1_000));

/** The request as REST takes it: in a query, or in a body where messages are in it. */
async function overRest({ path }: CheckedCall, request: JsonObject): Promise<readonly FoundProblem[]> {
  const isPosted = "overrides" in request || path.endsWith("/prices");
  const query = Object.entries(request).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as [string, string]),
  );
  const headers = { "api-key": KEY, "content-type": "application/json" };
  const response = await (isPosted
    ? fetch(door.origin + path, { method: "POST", headers, body: JSON.stringify(request) })
    : fetch(`${door.origin}${path}?${new URLSearchParams(query)}`, { headers }));
  const answer = (await response.json()) as { readonly validationErrors?: readonly FoundProblem[] };
  if (response.status !== 200 && answer.validationErrors === undefined) throw new Error(JSON.stringify(answer));
  return answer.validationErrors ?? [];
}

async function overGrpc({ method }: CheckedCall, request: JsonObject): Promise<readonly FoundProblem[]> {
  try {
    const message = fromJson(SwapService.method[method].input, request);
    await (client[method] as (message: object, options: object) => Promise<object>)(message, {
      headers: { "api-key": KEY },
    });
    return [];
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const [details] = error.findDetails(BadRequestSchema);
    if (details === undefined) throw error;
    return details.fieldViolations;
  }
}

/** A sentence where the rules and the door disagree on a request. `counts` has how often the rules were kept. */
async function disagreement(call: CheckedCall, changes: Changes, counts: { kept: number; broken: number }) {
  const changed = { ...call.valid, ...changes };
  const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)) as JsonObject;
  const request = (call.inside === undefined ? given : call.inside.request(given)) as JsonObject;
  const desc = registry.getMessage(SwapService.method[call.method].input.typeName) as DescMessage;
  const result = validator.validate(desc, fromJson(desc, request, { registry }));
  if (result.kind === "error") return `the rules fail: ${result.error.message}`;
  const isKept = result.kind === "valid";
  counts[isKept ? "kept" : "broken"] += 1;
  for (const send of [overRest, overGrpc]) {
    const found = await send(call, request);
    const against = found.filter((problem) => !BEYOND.some((isBeyond) => isBeyond(problem)));
    const says = `${send.name}: ${JSON.stringify(found)}, rules: ${result.violations?.map(String)}`;
    if (isKept && against.length > 0) return says;
    if (!isKept && found.length === 0) return says;
  }
  return undefined;
}

describe("the contract's rules say what the door says", () => {
  /** Parameters of a price are tried with it alone: the last test sees to it that their rules are the same elsewhere. */
  const ofPrice = new Set(SwapService.method.getPrice.input.fields.map(({ name }) => name));

  test.each(CALLS.map((call) => [call.inside?.message ?? call.method, call] as const))("%s", async (_, call) => {
    const name = call.inside?.message ?? SwapService.method[call.method].input.typeName;
    const all = ruleCases(contract, registry.getMessage(name) as DescMessage);
    const cases = call.method === "getPriceLadder" ? all.filter(({ field }) => !ofPrice.has(field ?? "")) : all;
    expect(cases.length).toBeGreaterThan(0);
    const complaints: string[] = [];
    for (const { name: rule, changes, borders } of cases) {
      const counts = { kept: 0, broken: 0 };
      const atBorders = borders.flatMap((border, at) => fc.sample(border, { numRuns: RUNS / 2, seed: SEED + at }));
      const samples = [
        ...atBorders,
        ...fc.sample(changes, { numRuns: borders.length > 0 ? RUNS : 3 * RUNS, seed: SEED }),
      ];
      for (let at = 0; at < samples.length; at += AT_ONCE) {
        await Promise.all(
          samples.slice(at, at + AT_ONCE).map(async (sample) => {
            const wrong = await disagreement(call, sample, counts);
            if (wrong !== undefined) complaints.push(`${rule}: ${JSON.stringify(sample)}: ${wrong}`);
          }),
        );
      }
      if (counts.kept === 0 || counts.broken === 0) complaints.push(`${rule}: only ${JSON.stringify(counts)}`);
    }
    expect(complaints).toEqual([]);
  });

  test("and are the same wherever a parameter is", () => {
    const price = registry.getMessage("swap.v1.GetPriceRequest") as DescMessage;
    for (const other of ["GetQuoteRequest", "WatchPriceRequest", "GetPriceLadderRequest"]) {
      const { fields } = registry.getMessage(`swap.v1.${other}`) as DescMessage;
      for (const field of fields) {
        const same = price.fields.find(({ name }) => name === field.name);
        if (same !== undefined)
          expect(rulesOf(contract, field), `${other}.${field.name}`).toEqual(rulesOf(contract, same));
      }
    }
  });
});

test("proto/buf/validate/validate.proto is that of protovalidate", () => {
  const json = (file: typeof file_buf_validate_validate | undefined, from: Registry) => {
    const { sourceCodeInfo: _, ...rest } = toJson(FileDescriptorProtoSchema, file!.proto, {
      registry: from,
    }) as JsonObject;
    return JSON.parse(JSON.stringify(rest, (key, value) => (key === "jsonName" ? undefined : value)));
  };
  const ours = registry.getFile("buf/validate/validate.proto");
  expect(json(ours, registry)).toEqual(json(file_buf_validate_validate, registry));
});
