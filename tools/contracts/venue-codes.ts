/**
 * Writes what contracts/venue-codes.json says of venues in payloads (their numbers and the layout of their bytes) down for
 * the contracts, contracts/src/VenueCodes.sol, and for the server, src/settlement/venue-codes.ts.
 *
 *   node tools/contracts/venue-codes.ts            writes both
 *   node tools/contracts/venue-codes.ts --check    ends with 1 where one is not what the table makes
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Some bytes of a payload. */
interface Field {
  readonly name: string;
  /** A number, unless it says otherwise. */
  readonly type?: "address";
  readonly bytes: number;
  readonly says?: string;
}

/** A venue as the table has it. */
interface VenueCode {
  readonly code: number;
  readonly name: string;
  /** The contract of contracts/src/venues that trades with it, reached by delegatecall; none is compiled into the executor. */
  readonly part?: string;
  /** Meaning of a fill's pool field. */
  readonly pool: string;
  /** The three bytes of detail; zero where they have no meaning. */
  readonly detail?: readonly Field[];
  /** Fields that follow the fill. */
  readonly more?: readonly Field[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const MADE = "Made by tools/contracts/venue-codes.ts of contracts/venue-codes.json: change that.";
const DETAIL_BYTES = 3;
/** Bits of a fill's first byte that hold the code. */
const CODE_BITS = 6;

const sizeOf = (fields: readonly Field[]) => fields.reduce((sum, { bytes }) => sum + bytes, 0);
const listed = (fields: readonly Field[]) =>
  fields.map(({ name, bytes, says }) => `${name} (${bytes}${says === undefined ? "" : `: ${says}`})`).join(", ");

/** @throws Error where two venues have one number, one has too high a number, or a detail does not fill its bytes */
function assertSound(venues: readonly VenueCode[]): void {
  if (new Set(venues.map(({ code }) => code)).size !== venues.length) throw new Error("two venues have one number");
  for (const { name, code, detail } of venues) {
    if (code >= 2 ** CODE_BITS) throw new Error(`${name}: ${code} does not fit ${CODE_BITS} bits`);
    if (detail !== undefined && sizeOf(detail) !== DETAIL_BYTES)
      throw new Error(`${name}: its detail has ${DETAIL_BYTES} bytes`);
  }
}

function solidityOf(venues: readonly VenueCode[]): string {
  const constants = venues.map(({ name, code, pool, detail = [], more = [] }) => {
    const lines = [
      `// Pool: ${pool}.`,
      ...(detail.length === 0 ? [] : [`// Detail: ${listed(detail)}.`]),
      ...(more.length === 0 ? [] : [`// Then: ${listed(more)}.`]),
    ];
    return `${lines.join("\n")}\nuint256 constant ${name} = ${code};`;
  });
  const more = venues.filter((venue) => venue.more !== undefined).map(({ name }) => `1 << ${name}`);
  return `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

// ${MADE}
// Venues as payloads number them, with the bytes that a fill has for each: field (bytes).

${constants.join("\n\n")}

// The venues of which further fills say more, a bit each.
uint256 constant SAYS_MORE = ${more.join(" | ")};

${venues.flatMap(readersOf).join("\n\n")}
`;
}

/** Solidity functions with the number of bytes behind a fill, and with the readers of its fields. */
function readersOf({ name, more = [] }: VenueCode): readonly string[] {
  const readers = more.map(({ name: field, type, bytes }, i) => {
    const start = sizeOf(more.slice(0, i));
    const taken = `bytes${bytes}(more[${start}:${start + bytes}])`;
    const [result, value] = type === "address" ? ["address", `address(${taken})`] : ["uint256", numberOf(taken, bytes)];
    return `function ${camel(name)}${capital(field)}(bytes calldata more) pure returns (${result}) {
    return ${value};
}`;
  });
  return more.length === 0 ? [] : [`uint256 constant ${name}_BYTES = ${sizeOf(more)};`, ...readers];
}

const numberOf = (taken: string, bytes: number) => (bytes === 32 ? `uint256(${taken})` : `uint${8 * bytes}(${taken})`);
const capital = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`;
const camel = (name: string) =>
  name
    .toLowerCase()
    .split("_")
    .map((word, i) => (i === 0 ? word : capital(word)))
    .join("");

function typescriptOf(venues: readonly VenueCode[]): string {
  const codes = venues.map(({ name, code }) => `  ${name}: ${code},`);
  const more = venues.flatMap(({ name, more: fields }) =>
    fields === undefined ? [] : [`  ${name}: ${sizeOf(fields)},`],
  );
  const parts = [...new Set(venues.flatMap(({ part }) => part ?? []))];
  return `// ${MADE}

/** Venues as payloads number them. */
export const VENUE = {
${codes.join("\n")}
} as const;

/** Bytes that say more of a fill after it, a signature left out. */
export const MORE_BYTES = {
${more.join("\n")}
} as const;

/** Contracts that trade with venues for the executor, at addresses that it knows. */
export type PartName =
${parts.map((part) => `  | ${JSON.stringify(part)}`).join("\n")};
`;
}

const venues = JSON.parse(readFileSync(join(root, "contracts", "venue-codes.json"), "utf8")) as readonly VenueCode[];
assertSound(venues);
const files = {
  [join("contracts", "src", "VenueCodes.sol")]: solidityOf(venues),
  [join("src", "settlement", "venue-codes.ts")]: typescriptOf(venues),
};
for (const [file, text] of Object.entries(files)) {
  if (!process.argv.includes("--check")) writeFileSync(join(root, file), text);
  else if (readFileSync(join(root, file), "utf8") !== text) {
    console.error(`${file} is not what contracts/venue-codes.json makes: run npm run contracts`);
    process.exitCode = 1;
  }
}
