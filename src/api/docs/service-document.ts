import { NATIVE_TOKEN } from "../../domain/address.ts";
import type { Network } from "../../domain/network.ts";
import type { TokenList } from "../../domain/token-list.ts";
import {
  type ApiDocument,
  type CodeSample,
  type Operation,
  operationsAt,
  type Parameter,
  type PathItem,
  apiDocument as plain,
  type Schema,
} from "./document.ts";
import { ORIGIN } from "./page.ts";

/** Facts of the running service for the description of its API. */
export interface ServedBy {
  readonly network: Network;
  readonly tokens: TokenList;
  /** Names of the sources, as `includedSources` takes them. */
  readonly sources: readonly string[];
}

/** One native token is sold in examples. */
const EXAMPLE_AMOUNT = 10n ** 18n;

/** The description of the API as one service gives it: with its address, its chain, its tokens and its sources. */
export function serviceDocument({ network, tokens, sources }: ServedBy): ApiDocument {
  const { name, chainId, native } = network;
  const parameters = exampleParameters(network, tokens);
  const here = `This service is at ${ORIGIN} and serves ${name} (chain ${chainId}). The native token is ${native.symbol}.`;
  const { schemas } = plain.components;
  return {
    ...plain,
    info: { ...plain.info, description: `${here}\n\n${plain.info.description}` },
    servers: [{ url: ORIGIN, description: `${name}, chain ${chainId}` }],
    paths: Object.fromEntries(
      Object.entries(plain.paths).map(([path, item]) => {
        const served = operationsAt(item).map(({ verb, operation: given }) => {
          const operation = {
            ...given,
            parameters: given.parameters.map((it) => withExample(it, parameters, sources)),
          };
          const codeSamples =
            verb === "GET"
              ? samplesOf(path, operation)
              : postSamplesOf(path, operation, Object.fromEntries(parameters));
          const responses = answersOf(given, chainId);
          return [verb.toLowerCase(), { ...operation, responses, "x-codeSamples": codeSamples }] as const;
        });
        return [path, Object.fromEntries(served) as PathItem];
      }),
    ),
    components: {
      ...plain.components,
      schemas: Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withChain(schema, chainId)])),
    },
  };
}

/** A trade that can be asked for: the native token for a dollar, or for the first token of the list. */
function exampleParameters({ usdToken, wrappedNative }: Network, { tokens }: TokenList): ReadonlyMap<string, string> {
  const addresses = tokens.map(({ address }) => address.toLowerCase());
  const isNative = (address: string) => address === NATIVE_TOKEN || address === wrappedNative;
  const bought = usdToken ?? addresses.find((address) => !isNative(address)) ?? wrappedNative;
  return new Map([
    ["sellToken", NATIVE_TOKEN],
    ["buyToken", bought],
    ["sellAmount", String(EXAMPLE_AMOUNT)],
    ["sellAmounts", [1n, 10n, 100n].map((times) => String(times * EXAMPLE_AMOUNT)).join()],
  ]);
}

function withExample(
  parameter: Parameter,
  examples: ReadonlyMap<string, string>,
  sources: readonly string[],
): Parameter {
  const example = examples.get(parameter.name);
  if (example !== undefined) return { ...parameter, example };
  const { items } = parameter.schema;
  if (items === undefined || sources.length === 0) return parameter;
  return { ...parameter, schema: { ...parameter.schema, items: { ...items, examples: sources } } };
}

/** An answer of another chain would show tokens that are none here. */
function answersOf({ responses }: Operation, chainId: number): Operation["responses"] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      {
        ...response,
        content: Object.fromEntries(
          Object.entries(response.content).map(([type, { example, ...body }]) => {
            const isHere = (example as { readonly chainId?: unknown } | undefined)?.chainId === chainId;
            return [type, isHere ? { ...body, example } : body];
          }),
        ),
      },
    ]),
  );
}

function withChain(schema: Schema, chainId: number): Schema {
  const { properties } = schema;
  if (properties?.chainId === undefined) return schema;
  return { ...schema, properties: { ...properties, chainId: { ...properties.chainId, const: chainId } } };
}

/** Requests to copy. The key stays out of them: whoever pastes has it in TRIBUTARY_API_KEY. */
function samplesOf(path: string, { operationId, tags, parameters }: Operation): readonly CodeSample[] {
  const given = parameters.flatMap(({ name, example }): [string, string][] =>
    example === undefined ? [] : [[name, String(example)]],
  );
  const search = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  if (!tags.includes("swap")) return [{ lang: "Shell", label: "curl", source: `curl -s '${ORIGIN}${path}'` }];
  const method = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`;
  const key = '-H "api-key: $TRIBUTARY_API_KEY"';
  const lists = new Set(parameters.flatMap(({ name, schema }) => (schema.items === undefined ? [] : [name])));
  const message = JSON.stringify(
    Object.fromEntries(given.map(([name, text]) => [name, lists.has(name) ? text.split(",") : text])),
  );
  const isStream = operationId === "watchPrice";
  return [
    { lang: "Shell", label: "curl", source: `curl -s${isStream ? "N" : ""} ${key} '${ORIGIN}${path}${search}'` },
    {
      lang: "Shell",
      label: "buf curl",
      source: `buf curl --protocol grpc --http2-prior-knowledge ${key} -d '${message}' ${ORIGIN}/swap.v1.SwapService/${method}`,
    },
  ];
}

/** Those of an operation whose parameters are in its body: one request, or several. */
function postSamplesOf(
  path: string,
  { operationId }: Operation,
  { sellToken, buyToken, sellAmount }: Readonly<Record<string, string>>,
): readonly CodeSample[] {
  const request = { sellToken, buyToken, sellAmount };
  const [method, message] =
    operationId === "batchGetPrices"
      ? ["BatchGetPrices", JSON.stringify({ requests: [request] })]
      : ["GetPrice", JSON.stringify(request)];
  const key = '-H "api-key: $TRIBUTARY_API_KEY"';
  const json = "-H 'content-type: application/json'";
  return [
    { lang: "Shell", label: "curl", source: `curl -s ${key} ${json} -d '${message}' '${ORIGIN}${path}'` },
    {
      lang: "Shell",
      label: "buf curl",
      source: `buf curl --protocol grpc --http2-prior-knowledge ${key} -d '${message}' ${ORIGIN}/swap.v1.SwapService/${method}`,
    },
  ];
}
