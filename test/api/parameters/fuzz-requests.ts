import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { GetPriceRequestSchema } from "#gen/swap/v1/swap_pb.ts";
import { USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";

/** The methods of the service that take the parameters of a price, and how often each is asked for. */
export const method = fc.oneof(
  { weight: 10, arbitrary: fc.constant("GetPrice") },
  { weight: 6, arbitrary: fc.constant("GetQuote") },
  { weight: 1, arbitrary: fc.constant("WatchPrice") },
);

const VALID: readonly [string, string][] = [
  ["sellToken", WETH.address],
  ["buyToken", USDC.address],
  ["sellAmount", "1000"],
];

const NAMES = [
  ...["sellToken", "buyToken", "sellAmount", "buyAmount", "slippagePercentage", "takerAddress", "excludedSources"],
  ...["includedSources", "integratorPercentageFee", "integratorRecipientAddress", "gasPrice", "skipValidation"],
  ...["priceImpactProtectionPercentage", "sell_token", "sell_amount"],
  ...["recipient", "approvalMode", "swapFeeToken", "sellEntireBalance"],
  ...["excludedPools", "excludedTokens", "connectorTokens", "maxHops", "maxFills", "blockNumber"],
];

const TEXTS = [
  ...[WETH.address, USDC.address, "1000", "0.01", "true", "Uniswap_V2", "uniswap_v2, SushiSwap", "", "0", "1e400"],
  ...[
    "NaN",
    "-1",
    "WETH",
    "permit2",
    "0.01,0.02",
    "1.5",
    "null",
    "0x",
    `0x${"0".repeat(40)}`,
    "9".repeat(78),
    ",",
    "%",
    "\ud800",
    "\0",
  ],
];

const name = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: fc.string() });
const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.bigInt({ min: -(2n ** 260n), max: 2n ** 260n }).map(String),
  fc.double().map(String),
  fc.string({ unit: "binary" }),
);
const extra = fc.array(fc.tuple(name, text), { maxLength: 4 });

/** Some bytes changed, cut or added. */
const steps = fc.array(
  fc.record({ at: fc.nat(300), byte: fc.nat(255), kind: fc.constantFrom("set", "set", "cut", "add") }),
  { maxLength: 4 },
);

function mutate(bytes: Buffer, changes: readonly { at: number; byte: number; kind: string }[]): Buffer {
  return changes.reduce((all, { at, byte, kind }) => {
    const where = at % (all.length + 1);
    if (kind === "cut") return all.subarray(0, where);
    const rest = all.subarray(kind === "set" ? where + 1 : where);
    return Buffer.concat([all.subarray(0, where), Buffer.from([byte]), rest]);
  }, bytes);
}

/** Bytes of a text in which every byte can stand in a request line. */
function printable(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[^!-~]/g, (odd) => String.fromCharCode(33 + (odd.charCodeAt(0) % 94)));
}

const VALID_QUERY = Buffer.from(new URLSearchParams(VALID).toString());
const VALID_JSON = Buffer.from(JSON.stringify(Object.fromEntries(VALID)));
const VALID_BINARY = Buffer.from(
  toBinary(GetPriceRequestSchema, create(GetPriceRequestSchema, Object.fromEntries(VALID))),
);

/** Queries: by the grammar, and valid ones with bytes changed. */
export const query = fc.oneof(
  fc
    .tuple(fc.boolean(), extra)
    .map(([valid, more]) => new URLSearchParams([...(valid ? VALID : []), ...more]).toString()),
  steps.map((changes) => printable(mutate(VALID_QUERY, changes))),
);

/** JSON messages: anything, by the grammar, and valid ones with bytes changed. */
export const json = fc.oneof(
  fc.jsonValue().map((any) => Buffer.from(JSON.stringify(any))),
  fc
    .array(fc.tuple(name, fc.oneof(text, fc.jsonValue())), { maxLength: 4 })
    .map((more) => Buffer.from(JSON.stringify({ ...Object.fromEntries(VALID), ...Object.fromEntries(more) }))),
  steps.map((changes) => mutate(VALID_JSON, changes)),
);

/** Protobuf messages: by the grammar, and valid ones with bytes changed. */
export const binary = fc.oneof(
  extra.map((more) => {
    const fields = new Set(GetPriceRequestSchema.fields.filter(({ scalar }) => scalar === 9).map((f) => f.localName));
    const known = more.filter(([key, value]) => fields.has(key as never) && value.isWellFormed());
    return Buffer.from(
      toBinary(GetPriceRequestSchema, create(GetPriceRequestSchema, Object.fromEntries([...VALID, ...known]))),
    );
  }),
  steps.map((changes) => mutate(VALID_BINARY, changes)),
);

/** One message in an envelope; now and then the envelope is wrong too. */
export function enveloped(message: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  return fc.tuple(message, fc.nat(9), steps).map(([bytes, luck, changes]) => {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(bytes.length, 1);
    const whole = Buffer.concat([head, bytes]);
    return luck === 0 ? mutate(whole, changes) : whole;
  });
}

/** Headers that a protocol has beside the content type: right, wrong, or none of its own. */
export const protocolHeaders = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { "grpc-timeout": "9S", "connect-timeout-ms": "9000" },
      { "grpc-timeout": "never", "connect-timeout-ms": "never" },
      { "grpc-encoding": "gzip", "content-encoding": "gzip", "connect-content-encoding": "gzip" },
      { "connect-protocol-version": "2" },
      { "x-request-id": "a b" },
      { origin: "https://evil.example" },
    ),
  },
);
