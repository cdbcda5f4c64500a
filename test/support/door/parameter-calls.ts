import { fromBinary } from "@bufbuild/protobuf";
import { ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { type Door, KEY } from "./http.ts";

/** Parameters as a client has them: lists are arrays. Undefined is left out. */
export type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** One thing that was found wrong with a request. */
export interface FoundProblem {
  readonly field: string;
  readonly reason: string;
  readonly description: string;
}

/** Asks for a price or a quote, and answers what is wrong with the request, or nothing. */
export type ParameterCall = (
  door: Door,
  method: "getPrice" | "getQuote",
  given: Given,
) => Promise<readonly FoundProblem[]>;

/** The problems that an error of Connect has among its details. */
export function violationsOf(error: {
  readonly details: readonly { readonly type: string; readonly value: string }[];
}): readonly FoundProblem[] {
  const details = error.details.find(({ type }) => type === BadRequestSchema.typeName);
  if (details === undefined) return [];
  return fromBinary(BadRequestSchema, Buffer.from(details.value, "base64")).fieldViolations;
}

const givenOf = (given: Given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

const rest: ParameterCall = async (door, method, given) => {
  const texts = Object.fromEntries(Object.entries(givenOf(given)).map(([name, value]) => [name, String(value)]));
  const path = method === "getPrice" ? "price" : "quote";
  const { body } = await door.get(`/swap/v1/${path}?${new URLSearchParams(texts)}`);
  return body.validationErrors ?? [];
};

const rpc =
  (transport: (origin: string) => Transport): ParameterCall =>
  async (door, method, given) => {
    const client = createClient(SwapService, transport(door.origin));
    try {
      await client[method](givenOf(given), { headers: { "api-key": KEY } });
      return [];
    } catch (thrown) {
      return ConnectError.from(thrown).findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
    }
  };

/** One call on every protocol. */
export const PARAMETER_CALLS: readonly (readonly [protocol: string, ParameterCall])[] = [
  ["REST", rest],
  ["gRPC", rpc((baseUrl) => createGrpcTransport({ baseUrl }))],
  ["gRPC-Web", rpc((baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }))],
  ["Connect", rpc((baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" }))],
];
