import type { DescMessage } from "@bufbuild/protobuf";
import { fromBinary, ScalarType } from "@bufbuild/protobuf";
import { ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { KEY } from "./http.ts";

/** Parameters as a client has them: lists are arrays. Undefined is left out. */
type Given = Readonly<Record<string, unknown>>;

/** Methods that take parameters. */
export type Method = "getPrice" | "getQuote" | "watchPrice" | "getPriceLadder" | "batchGetPrices" | "listTokens";

/** One thing that was found wrong with a request. */
export interface FoundProblem {
  readonly field: string;
  readonly reason: string;
  readonly description: string;
  /** REST's alone. */
  readonly code?: number;
}

/** The answer to a call, a stream's first message for one, or what is wrong with its request. */
export interface Told {
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  readonly answer?: any;
  readonly problems: readonly FoundProblem[];
}

/** Makes a call with these parameters. */
type ParameterCall = (method: Method, given: Given) => Promise<Told>;

/** One way to make calls. */
export interface Protocol {
  readonly name: string;
  readonly call: ParameterCall;
  /** Whether parameters go out as texts or JSON, wrong ones too. */
  readonly takesAnything: boolean;
}

/** The problems that an error of Connect has among its details. */
export function violationsOf(error: {
  readonly details: readonly { readonly type: string; readonly value: string }[];
}): readonly FoundProblem[] {
  const details = error.details.find(({ type }) => type === BadRequestSchema.typeName);
  if (details === undefined) return [];
  return fromBinary(BadRequestSchema, Buffer.from(details.value, "base64")).fieldViolations;
}

/** Whether a message of this type can hold the parameters: only fields that it has, and booleans that are some. */
export function isMessage({ fields }: DescMessage, given: Given): boolean {
  return Object.entries(given).every(([name, value]) => {
    const field = fields.find(({ localName }) => localName === name);
    return field !== undefined && (field.scalar !== ScalarType.BOOL || typeof value !== "string");
  });
}

const PATHS: Readonly<Record<Method, string>> = {
  getPrice: "price",
  getQuote: "quote",
  watchPrice: "price/stream",
  getPriceLadder: "ladder",
  batchGetPrices: "prices",
  listTokens: "tokens",
};

/** One call on every protocol, over connections that are kept. */
export function protocolsAt(origin: string): readonly Protocol[] {
  const post = (path: string, given: Given) =>
    fetch(origin + path, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": "application/json" },
      body: JSON.stringify(given),
    });

  const rest: ParameterCall = async (method, given) => {
    const path = `/swap/v1/${PATHS[method]}`;
    const texts = Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]);
    const isPosted = method === "batchGetPrices" || given.overrides !== undefined;
    const response = isPosted
      ? await post(path, given)
      : await fetch(`${origin}${path}?${new URLSearchParams(texts)}`, { headers: { "api-key": KEY } });
    if (response.ok && method === "watchPrice") return { answer: await firstEvent(response), problems: [] };
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const body = (await response.json()) as any;
    return response.ok ? { answer: body, problems: [] } : { problems: body.validationErrors ?? [] };
  };

  /** JSON as a browser posts it. */
  const connect: ParameterCall = async (method, given) => {
    if (method === "watchPrice") return connectStream(method, given);
    const response = await post(`/swap.v1.SwapService/${SwapService.method[method].name}`, given);
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const body = (await response.json()) as any;
    return response.ok ? { answer: body, problems: [] } : { problems: violationsOf(body) };
  };
  const connectStream = rpc(createConnectTransport({ baseUrl: origin, httpVersion: "1.1", useBinaryFormat: false }));

  const messages: readonly (readonly [string, Transport])[] = [
    ["Connect in protobuf", createConnectTransport({ baseUrl: origin, httpVersion: "2", useBinaryFormat: true })],
    ["gRPC", createGrpcTransport({ baseUrl: origin })],
    ["gRPC-Web", createGrpcWebTransport({ baseUrl: origin, httpVersion: "1.1" })],
  ];
  return [
    { name: "REST", call: rest, takesAnything: true },
    { name: "Connect", call: connect, takesAnything: true },
    ...messages.map(([name, transport]) => ({ name, call: rpc(transport), takesAnything: false })),
  ];
}

async function firstEvent({ body }: Response): Promise<unknown> {
  const reader = body?.getReader();
  const { value = new Uint8Array() } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return JSON.parse(Buffer.from(value).toString().split("\n")[0]?.slice("data: ".length) ?? "");
}

function rpc(transport: Transport): ParameterCall {
  const client = createClient(SwapService, transport);
  const headers = { "api-key": KEY };
  return async (method, given) => {
    try {
      if (method !== "watchPrice") return { answer: await client[method](given, { headers }), problems: [] };
      for await (const { update } of client.watchPrice(given, { headers }))
        return { answer: { [update.case ?? ""]: update.value }, problems: [] };
      throw new Error("the stream ended before it told anything");
    } catch (thrown) {
      if (!(thrown instanceof ConnectError)) throw thrown;
      return { problems: thrown.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [] };
    }
  };
}
