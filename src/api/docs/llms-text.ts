import { type ApiDocument, type Schema, typeName } from "./document.ts";

/** What a program that reads text has to know to use the service, in the form of llmstxt.org. */
export function llmsText({ info, paths, components }: ApiDocument): string {
  const operations = Object.entries(paths).map(([path, { get }]) => {
    const parameters = get.parameters.map(
      ({ name, required, description, schema }) =>
        `- \`${name}\` (${typeName(schema)}${required ? ", required" : ""}): ${description}`,
    );
    return [`### GET ${path}`, "", get.description, ...(parameters.length > 0 ? ["", ...parameters] : []), ""].join(
      "\n",
    );
  });
  const { GetQuoteResponse: quote = {}, GetPriceResponse: _, ...others } = components.schemas;
  const messages = Object.entries(others).map(
    ([name, schema]) => `### ${name}\n\n${schema.description}\n\n${fieldsOf(schema)}\n`,
  );
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

## Calls

${operations.join("\n")}
## Fields of a quote (a price has them without guaranteedPrice, to, data, expiry and issues)

${fieldsOf(quote)}

## Messages inside of these, and other answers

Sources are answered as ListSourcesResponse, each event of a stream is a WatchPriceResponse, a refusal over REST is a Refusal.

${messages.join("\n")}
## More

- [OpenAPI](/openapi.json)
- [Reference](/docs)
- [Errors](/docs/errors)
- [Token list](/tokens.json)
`;
}

function fieldsOf({ properties = {} }: Schema): string {
  const lines = Object.entries(properties).map(
    ([name, schema]) => `- \`${name}\` (${typeName(schema)}): ${schema.description}`,
  );
  return lines.join("\n");
}
