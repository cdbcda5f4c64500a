import type { TokenList } from "../../domain/token-list.ts";
import {
  type ApiDocument,
  operationsAt,
  type PathItem,
  type Schema,
  typeName,
  type VerbOperation,
} from "./document.ts";

/** Tokens that are named in the text; /tokens.json has all. */
const MAX_NAMED = 20;

/** Instructions for a program that reads text, in the form of llmstxt.org. */
export function llmsText({ info, paths, components, servers }: ApiDocument, { tokens }: TokenList): string {
  const origin = servers[0]?.url ?? "";
  const operations = Object.entries(paths).flatMap(operationTexts);
  const { GetQuoteResponse: quote = {}, GetPriceResponse: price = {}, ...others } = components.schemas;
  const ofPrices = Object.entries(price.properties ?? {}).filter(([name]) => !(name in (quote.properties ?? {})));
  const messages = Object.entries(others).map(
    ([name, schema]) => `### ${name}\n\n${schema.description}\n\n${fieldsOf(schema)}\n`,
  );
  const named = tokens.slice(0, MAX_NAMED).map(({ symbol, address, decimals }) => {
    return `- ${symbol}: \`${address.toLowerCase()}\`, ${decimals} decimals`;
  });
  return `# ${info.title}

> ${info.summary} REST, gRPC, gRPC-Web and Connect on one port.

${info.description}

Rules that save mistakes:

- Amounts are whole numbers of base units: 1.5 of a token with 6 decimals is "1500000". /tokens.json has the decimals.
- Give \`sellAmount\` (exact-in) or \`buyAmount\` (exact-out), never both.
- Tokens are addresses, never symbols.
- A price is for looking at; only a quote has a transaction. Approve \`allowanceTarget\` and nothing else, and
  send \`{to, data, value, gas}\` unchanged before \`expiry\`.
- \`price\` is units of sellToken per one buyToken, in both directions.
- Refusals have a constant \`reason\`; 429, 503 and 504 may be tried again after \`Retry-After\`, others not.

## Tokens here

${named.join("\n")}

## Calls

${operations.join("\n")}
## Fields of a quote (a price has them without guaranteedPrice, to, data, expiry, issues, permit and calls)

${fieldsOf(quote)}

A price has besides:

${fieldsOf({ properties: Object.fromEntries(ofPrices) })}

## Messages inside of these, and other answers

Sources are answered as ListSourcesResponse, each event of a stream is a WatchPriceResponse, a refusal over REST is a Refusal.

${messages.join("\n")}
## More

- [OpenAPI](${origin}/openapi.json)
- [Reference](${origin}/docs)
- [Errors](${origin}/docs/errors)
- [Token list](${origin}/tokens.json)
`;
}

/** The calls at a path. */
function operationTexts([path, item]: readonly [string, PathItem]): readonly string[] {
  return operationsAt(item).map((each) => operationText(path, each));
}

/** One call with what it takes and how it is made. */
function operationText(path: string, { verb, operation }: VerbOperation): string {
  const parameters = operation.parameters.map(
    ({ name, required, description, schema }) =>
      `- \`${name}\` (${typeName(schema)}${required ? ", required" : ""}): ${description}`,
  );
  const { "x-codeSamples": samples = [] } = operation;
  const body = operation.requestBody?.content["application/json"]?.schema;
  const taken = body === undefined ? parameters : [`The body is JSON: ${typeName(body)}.`];
  const text = [`### ${verb} ${path}`, "", operation.description, "", ...taken, ...(taken.length > 0 ? [""] : [])];
  return [...text, ...samples.flatMap(({ source }) => ["```sh", source, "```", ""])].join("\n");
}

function fieldsOf({ properties = {} }: Schema): string {
  const lines = Object.entries(properties).map(
    ([name, schema]) => `- \`${name}\` (${typeName(schema)}): ${schema.description}`,
  );
  return lines.join("\n");
}
