/** The parts of openapi.json that the contract does not tell: refusals, headers, and the paths that need no key. */
import { ERROR_REFERENCE, VIOLATION_REFERENCE } from "../../src/api/errors/error-reference.ts";

type Schema = Readonly<Record<string, unknown>>;

const text = (description: string, more: Schema = {}): Schema => ({ type: "string", description, ...more });
const strictly = (description: string, properties: Readonly<Record<string, Schema>>, open: readonly string[] = []) => ({
  type: "object",
  description,
  required: Object.keys(properties).filter((name) => !open.includes(name)),
  properties,
});

/** Headers of answers, as components. */
export const HEADERS: Readonly<Record<string, Schema>> = {
  RequestId: {
    description:
      "Names the call in the service's log: the caller's own `x-request-id` if it is usable, else a random one.",
    schema: { type: "string", maxLength: 64 },
  },
  RateLimit: {
    description: "`r` units are left; all are back after `t` seconds. Absent for keys without a limit.",
    schema: { type: "string", examples: ['"default";r=19;t=1'] },
  },
  RateLimitPolicy: {
    description: "`q` units may be used at once, and are back after `w` seconds. Absent for keys without a limit.",
    schema: { type: "string", examples: ['"default";q=20;w=2'] },
  },
  RetryAfter: { description: "Seconds to wait before the call is repeated.", schema: { type: "integer", minimum: 0 } },
};

const WITH_ID = { "x-request-id": { $ref: "#/components/headers/RequestId" } };
/** Headers of every answer to a call. */
export const CALL_HEADERS: Readonly<Record<string, Schema>> = {
  ...WITH_ID,
  RateLimit: { $ref: "#/components/headers/RateLimit" },
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
};

/** Refusals by HTTP status, in the form of responses; `only` some statuses where others cannot be. */
export function refusals(only?: readonly number[]): Readonly<Record<string, Schema>> {
  const byStatus = Map.groupBy(ERROR_REFERENCE, ({ httpStatus }) => httpStatus);
  const statuses = [...byStatus].filter(([status]) => only?.includes(status) ?? true).sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, cases]) => {
      const waits = cases.some((it) => it.waits);
      const response = {
        description: cases.map(({ kind, code, when }) => `${kind} (code ${code}): ${when}`).join("\n\n"),
        headers: {
          ...(only === undefined ? CALL_HEADERS : WITH_ID),
          ...(waits && { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }),
        },
        content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
      };
      return [String(status), response];
    }),
  );
}

/** Paths that need no key. */
export const OPERATIONS: Readonly<Record<string, Schema>> = {
  "/tokens.json": open({
    operationId: "tokenList",
    summary: "Tokens with their decimals",
    description:
      "The tokens to offer, as a list of https://tokenlists.org. It is the operator's, else the native token, its wrapped form and the best connected tokens of the market. Other tokens can be traded too.",
    schema: { $ref: "#/components/schemas/TokenList" },
  }),
  "/status": open({
    operationId: "status",
    summary: "State of the service",
    description: "Readiness, chain, sources, and how the chain is followed.",
    schema: { $ref: "#/components/schemas/Status" },
  }),
};

function open(about: {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: Schema;
}): Schema {
  const { operationId, summary, description, schema } = about;
  return {
    get: {
      operationId,
      summary,
      description,
      tags: ["operations"],
      security: [],
      parameters: [],
      responses: {
        200: { description: summary, headers: WITH_ID, content: { "application/json": { schema } } },
        ...refusals([405]),
      },
    },
  };
}

const VERSION_PART: Schema = { type: "integer", minimum: 0 };

/** Schemas beside those of the messages. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  Refusal: strictly(
    "A call that was refused. Branch on `code` and `reason`; see /docs/errors.",
    {
      code: {
        type: "integer",
        enum: [...new Set(ERROR_REFERENCE.map(({ code }) => code))].sort((a, b) => a - b),
        description: "Number of the kind of refusal.",
      },
      reason: text("A constant that never changes."),
      description: text("A sentence for people."),
      validationErrors: {
        type: "array",
        description: "Every problem of the request at once; with code 100 only.",
        items: { $ref: "#/components/schemas/Problem" },
      },
      requestId: text("Also in the header x-request-id."),
      docs: text("Where the refusal is explained, relative to the service.", { format: "uri-reference" }),
    },
    ["validationErrors"],
  ),
  Problem: strictly("One problem of one parameter.", {
    field: text("Name of the parameter."),
    code: {
      type: "integer",
      enum: [...new Set(VIOLATION_REFERENCE.map(({ code }) => code))].sort((a, b) => a - b),
      description: "Number of the kind of problem.",
    },
    reason: text("A constant that never changes.", { enum: VIOLATION_REFERENCE.map(({ reason }) => reason) }),
    description: text("The given value, and what to send instead."),
  }),
  TokenList: strictly("A token list, as https://tokenlists.org defines it.", {
    name: text("Name of the list.", { pattern: "^[\\w ]{1,30}$" }),
    timestamp: text("When this version of the list was made.", { format: "date-time" }),
    version: strictly("Changes with the list.", { major: VERSION_PART, minor: VERSION_PART, patch: VERSION_PART }),
    tokens: {
      type: "array",
      description: "The tokens, the native one among them.",
      minItems: 1,
      maxItems: 10_000,
      items: { $ref: "#/components/schemas/ListedToken" },
    },
  }),
  ListedToken: strictly(
    "A token of the list.",
    {
      chainId: { type: "integer", minimum: 1, description: "Chain id." },
      address: text("Contract address with EIP-55 checksum.", { pattern: "^0x[0-9a-fA-F]{40}$" }),
      name: text("Name.", { maxLength: 60 }),
      symbol: text("Symbol.", { maxLength: 20 }),
      decimals: { type: "integer", minimum: 0, maximum: 255, description: "Decimals." },
      logoURI: text("Picture of the token.", { format: "uri" }),
    },
    ["logoURI"],
  ),
  Network: strictly(
    "The chain that is served.",
    {
      name: text("Name of the chain."),
      native: strictly("The token that gas is paid in, 18 decimals.", {
        symbol: text("Symbol."),
        name: text("Name."),
      }),
      wrappedNative: text("The ERC-20 that wraps it one to one.", { pattern: "^0x[0-9a-f]{40}$" }),
      explorer: text("A block explorer that knows /tx/, /address/ and /token/.", { format: "uri" }),
      usdToken: text("A stable coin of the US dollar.", { pattern: "^0x[0-9a-f]{40}$" }),
    },
    ["explorer", "usdToken"],
  ),
  Status: strictly(
    "State of the service.",
    {
      ready: { type: "boolean", description: "Whether prices and quotes can be given." },
      reason: { type: ["string", "null"], description: "Why not." },
      version: text("Version of the service."),
      chainId: { type: "integer", minimum: 1, maximum: 2 ** 32 - 1, description: "Chain id." },
      network: { $ref: "#/components/schemas/Network", description: "The chain that is served." },
      sources: {
        type: "array",
        description: "The sources and how fresh they are.",
        items: {
          type: "object",
          description: "A source, as /swap/v1/sources tells it; block numbers and pools are plain here.",
        },
      },
      chain: {
        type: "object",
        description: "How the chain is followed, for operators; docs/operations.md explains it.",
      },
    },
    ["chain"],
  ),
};
