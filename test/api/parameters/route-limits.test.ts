import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TAKER, USDC, WBTC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { MOST_NAMED } from "../../../src/api/parameters/route-limits.ts";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { RouteLimits } from "../../../src/quoting/answer/route-limits.ts";
import { type Door, openDoor } from "../../support/door/http.ts";
import { type Given, PARAMETER_CALLS } from "../../support/door/parameter-calls.ts";
import { VALID } from "./parameter-cases.ts";

/** excludedPools, excludedTokens, connectorTokens, maxHops and maxFills: good, edge and bad values on every protocol. */
type Problem = readonly [field: string, reason: string, says?: RegExp];

const POOL = `0x${"ab".repeat(20)}`;
const OTHER = `0x${"0c".repeat(20)}`;
const POOL_ID = `0x${"ab".repeat(32)}`;
const PAIR = `maker:desk:${WETH.address}:${USDC.address}`;
const CHECKSUMMED = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const WRONG_CHECKSUM = "0xc02AAA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const many = (count: number) => Array.from({ length: count }, (_, i) => `0x${(i + 1).toString(16).padStart(40, "0")}`);

const REFUSED: readonly (readonly [name: string, given: Given, ...expected: Problem[]])[] = [
  [
    "a pool by a name",
    { excludedPools: ["USDC/WETH"] },
    ["excludedPools", "INVALID_POOL", /"USDC\/WETH".*route\.fills/],
  ],
  ["a pool cut short", { excludedPools: [POOL.slice(0, -1)] }, ["excludedPools", "INVALID_POOL"]],
  ["a pool of an odd number of digits", { excludedPools: [`${POOL_ID}0`] }, ["excludedPools", "INVALID_POOL"]],
  ["a pool without 0x", { excludedPools: [POOL.slice(2)] }, ["excludedPools", "INVALID_POOL"]],
  ["a maker without a pair", { excludedPools: ["maker:desk"] }, ["excludedPools", "INVALID_POOL"]],
  ["a pool too long for any", { excludedPools: [`0x${"ab".repeat(65)}`] }, ["excludedPools", "INVALID_POOL"]],
  [
    "two pools that are none among good ones",
    { excludedPools: [POOL, "?", "!"] },
    ["excludedPools", "INVALID_POOL"],
    ["excludedPools", "INVALID_POOL"],
  ],
  ["too many pools", { excludedPools: many(MOST_NAMED + 1) }, ["excludedPools", "OUT_OF_RANGE", /more than 64/]],
  [
    "nonsense, of which ten are explained",
    { excludedPools: Array.from({ length: 30 }, (_, i) => `pool ${i}`) },
    ...Array.from({ length: 10 }, () => ["excludedPools", "INVALID_POOL"] as const),
  ],

  ["a symbol to exclude", { excludedTokens: ["WBTC"] }, ["excludedTokens", "INVALID_ADDRESS"]],
  ["a token with a wrong checksum", { excludedTokens: [WRONG_CHECKSUM] }, ["excludedTokens", "INVALID_CHECKSUM"]],
  ["the zero address to exclude", { excludedTokens: [`0x${"0".repeat(40)}`] }, ["excludedTokens", "ZERO_ADDRESS"]],
  [
    "the sold token to exclude",
    { excludedTokens: [WETH.address] },
    ["excludedTokens", "CONFLICT", /token of the swap/],
  ],
  ["the bought token to exclude", { excludedTokens: [USDC.address] }, ["excludedTokens", "CONFLICT"]],
  [
    "both tokens to exclude, in capitals",
    { excludedTokens: [WETH, USDC].map(({ address }) => `0x${address.slice(2).toUpperCase()}`) },
    ["excludedTokens", "CONFLICT"],
    ["excludedTokens", "CONFLICT"],
  ],
  ["too many tokens", { excludedTokens: many(MOST_NAMED + 1) }, ["excludedTokens", "OUT_OF_RANGE"]],

  ["a symbol to lead over", { connectorTokens: ["WBTC"] }, ["connectorTokens", "INVALID_ADDRESS"]],
  [
    "a connector cut short",
    { connectorTokens: [WBTC.address.slice(0, -1)] },
    ["connectorTokens", "INVALID_ADDRESS", /39/],
  ],
  ["too many connectors", { connectorTokens: many(MOST_NAMED + 1) }, ["connectorTokens", "OUT_OF_RANGE"]],
  [
    "a token to lead over and to exclude",
    { connectorTokens: [WBTC.address], excludedTokens: [WBTC.address] },
    ["connectorTokens", "CONFLICT", /both name/],
  ],

  ...(["maxHops", "maxFills"] as const).flatMap((field): (readonly [string, Given, ...Problem[]])[] => [
    [`${field} of none`, { [field]: "0" }, [field, "OUT_OF_RANGE", /is 0\. Send 1 to/]],
    [
      `${field} above the service's`,
      { [field]: field === "maxHops" ? "5" : "129" },
      [field, "OUT_OF_RANGE", /at most/],
    ],
    [`${field} below nothing`, { [field]: "-1" }, [field, "INVALID_INTEGER"]],
    [`${field} of a part`, { [field]: "1.5" }, [field, "INVALID_INTEGER", /Send 1 to/]],
    [`${field} with a leading zero`, { [field]: "02" }, [field, "INVALID_INTEGER"]],
    [`${field} in hex`, { [field]: "0x2" }, [field, "INVALID_INTEGER"]],
    [`empty ${field}`, { [field]: "" }, [field, "INVALID_INTEGER"]],
    [`endless ${field}`, { [field]: "9".repeat(400) }, [field, "OUT_OF_RANGE"]],
  ]),
];

const NONE = { excludedPools: [], excludedTokens: [], connectorTokens: [] };

const ACCEPTED: readonly (readonly [name: string, given: Given, expected: RouteLimits | undefined])[] = [
  ["empty lists", { excludedPools: [""], excludedTokens: ["", " "], connectorTokens: [] }, undefined],
  ["a pool", { excludedPools: [POOL] }, { ...NONE, excludedPools: [POOL] }],
  [
    "a pool that nobody knows, in capitals",
    { excludedPools: [OTHER.toUpperCase().replace("X", "x")] },
    { ...NONE, excludedPools: [OTHER] },
  ],
  ["a longer id", { excludedPools: [POOL_ID] }, { ...NONE, excludedPools: [POOL_ID] }],
  ["a maker's pair", { excludedPools: [PAIR] }, { ...NONE, excludedPools: [PAIR] }],
  [
    "pools in any order, twice",
    { excludedPools: [POOL, OTHER, ` ${POOL} `] },
    { ...NONE, excludedPools: [OTHER, POOL] },
  ],
  [
    "pools with commas in an element",
    { excludedPools: [`${POOL},${OTHER}`] },
    { ...NONE, excludedPools: [OTHER, POOL] },
  ],
  ["as many pools as may be", { excludedPools: many(MOST_NAMED) }, { ...NONE, excludedPools: many(MOST_NAMED) }],
  ["a token", { excludedTokens: [WBTC.address] }, { ...NONE, excludedTokens: [WBTC.address] }],
  ["a token that nobody knows", { excludedTokens: [TAKER] }, { ...NONE, excludedTokens: [TAKER] }],
  [
    "the native token to exclude",
    { excludedTokens: [NATIVE_TOKEN.toUpperCase().replace("X", "x")] },
    { ...NONE, excludedTokens: [NATIVE_TOKEN] },
  ],
  ["a connector", { connectorTokens: [WBTC.address] }, { ...NONE, connectorTokens: [WBTC.address] }],
  [
    "a token of the swap as connector, with its checksum",
    { connectorTokens: [CHECKSUMMED, NATIVE_TOKEN] },
    { ...NONE, connectorTokens: [WETH.address, NATIVE_TOKEN].sort() },
  ],
  ["one hop", { maxHops: "1" }, { ...NONE, maxHops: 1 }],
  ["one fill", { maxFills: "1" }, { ...NONE, maxFills: 1 }],
  ["as many hops and fills as the service allows", { maxHops: "4", maxFills: "128" }, undefined],
  [
    "all of them",
    {
      ...{ excludedPools: [POOL], excludedTokens: [TAKER], connectorTokens: [WBTC.address] },
      maxHops: "3",
      maxFills: "7",
    },
    { ...{ excludedPools: [POOL], excludedTokens: [TAKER], connectorTokens: [WBTC.address] }, maxHops: 3, maxFills: 7 },
  ],
];

const BLOCKS: readonly (readonly [name: string, blockNumber: string, expected: Problem | bigint])[] = [
  ["the oldest block", "90", 90n],
  ["the newest block", "100", 100n],
  [
    "a block that is gone",
    "89",
    ["blockNumber", "OUT_OF_RANGE", /89 is not held\. Blocks 90 to 94, and 96 to 100 are held/],
  ],
  ["a block that is missing in between", "95", ["blockNumber", "OUT_OF_RANGE"]],
  ["a block to come", "101", ["blockNumber", "OUT_OF_RANGE", /96 to 100/]],
  ["a word", "latest", ["blockNumber", "INVALID_INTEGER", /leave it out to have the newest/]],
  ["hex", "0x5a", ["blockNumber", "INVALID_INTEGER"]],
  ["a sign", "-1", ["blockNumber", "INVALID_INTEGER"]],
  ["a leading zero", "090", ["blockNumber", "INVALID_INTEGER"]],
  ["no text", "", ["blockNumber", "INVALID_INTEGER"]],
  ["more digits than any block has", "9".repeat(300), ["blockNumber", "OUT_OF_RANGE"]],
];

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

describe.each(PARAMETER_CALLS)("on %s", (_, call) => {
  const refused = REFUSED.map(([name, given, ...expected]) => [name, given, expected] as const);

  test.each(refused)("%s: refused", async (_name, given, expected) => {
    for (const method of ["getPrice", "getQuote"] as const) {
      const problems = await call(door, method, { ...VALID, ...given });
      expect(problems.map(({ field, reason }) => [field, reason])).toEqual(
        expected.map(([field, reason]) => [field, reason]),
      );
      expected.forEach(([, , says], at) => {
        if (says !== undefined) expect(problems[at]?.description).toMatch(says);
      });
    }
  });

  test.each(BLOCKS)("%s to price at", async (_name, blockNumber, expected) => {
    const problems = await call(door, "getPrice", { ...VALID, blockNumber });
    if (typeof expected === "bigint") {
      expect(problems).toEqual([]);
      const { request, context } = door.quoting.asked.at(-1) ?? {};
      expect([request?.at?.block.number, context?.at?.block.number]).toEqual([expected, expected]);
    } else {
      const [field, reason, says = /./] = expected;
      expect(problems).toMatchObject([{ field, reason, description: expect.stringMatching(says) }]);
    }
  });

  test.each(ACCEPTED)("%s: accepted", async (_name, given, expected) => {
    for (const method of ["getPrice", "getQuote"] as const) {
      expect(await call(door, method, { ...VALID, ...given })).toEqual([]);
      expect(door.quoting.asked.at(-1)?.request.limits).toEqual(expected);
    }
  });
});
