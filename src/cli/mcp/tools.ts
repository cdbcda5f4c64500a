import { type DescMessage, type JsonObject, type MessageShape, toJson } from "@bufbuild/protobuf";
import { GetPriceResponseSchema, GetQuoteResponseSchema, ListSourcesResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { GetChainResponseSchema, ListTokensResponseSchema } from "#gen/swap/v1/tokens_pb.ts";
import { apiDocument, type Operation } from "../../api/docs/document.ts";
import type { CallOptions, SwapClient, SwapRequest, TokensRequest } from "../../client/index.ts";

/** Arguments of a tool as they came: nobody has checked them. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A call of the service as an agent makes it. All of them read: none sends anything to a chain. */
export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" } & JsonObject;
  /** The answer in JSON. @throws SwapCallError */
  call(client: SwapClient, given: ToolArguments, options: CallOptions): Promise<string>;
}

/** The tools. Names and forms of their arguments are those of the API's description. */
export const AGENT_TOOLS: readonly AgentTool[] = [
  toolOf("price", "getPrice", async (client, given, options) =>
    jsonOf(GetPriceResponseSchema, await client.price(given as unknown as SwapRequest, options)),
  ),
  toolOf("quote", "getQuote", async (client, given, options) =>
    jsonOf(GetQuoteResponseSchema, await client.quote(given as unknown as SwapRequest, options)),
  ),
  toolOf("sources", "listSources", async (client, _, options) =>
    jsonOf(ListSourcesResponseSchema, await client.sources(options)),
  ),
  toolOf("tokens", "listTokens", async (client, given, options) =>
    jsonOf(ListTokensResponseSchema, await client.tokens(given as TokensRequest, options)),
  ),
  toolOf("chain", "getChain", async (client, _, options) =>
    jsonOf(GetChainResponseSchema, await client.chain(options)),
  ),
];

function toolOf(name: string, operationId: string, call: AgentTool["call"]): AgentTool {
  const operation = Object.values(apiDocument.paths).find(({ get }) => get?.operationId === operationId)?.get;
  if (operation === undefined) throw new Error(`the API's description has no ${operationId}`);
  return { name, title: operation.summary, description: operation.description, inputSchema: schemaOf(operation), call };
}

/** The parameters of an operation as one object. */
function schemaOf({ parameters }: Operation): AgentTool["inputSchema"] {
  const properties = parameters.map(({ name, schema, description }) => [name, { ...schema, description }] as const);
  return {
    type: "object",
    properties: Object.fromEntries(properties) as unknown as JsonObject,
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** An answer without its orders: the route says the same with fewer words, and whoever reads it pays for each. */
function jsonOf<Desc extends DescMessage>(schema: Desc, answer: MessageShape<Desc>): string {
  const { orders: _, ...rest } = toJson(schema, answer, { alwaysEmitImplicit: true }) as JsonObject;
  return JSON.stringify(rest);
}
