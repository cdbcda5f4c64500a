import { TAKER, USDC, WBTC, WETH } from "../../../../fixtures/door/fake-quoting.ts";
import { MAX_ELEMENTS } from "../../../../src/api/parameters/list-elements.ts";
import { MAX_LOGS } from "../../../../src/api/parameters/overrides.ts";
import { MAX_NAMED } from "../../../../src/api/parameters/route-limits.ts";
import { NATIVE_TOKEN } from "../../../../src/domain/address.ts";
import { addresses, type Given, type ParameterTable, type RefusedRow, WRONG_CHECKSUM, ZERO } from "./row.ts";

const POOL = `0x${"ab".repeat(20)}`;
const OTHER = `0x${"0c".repeat(20)}`;
const POOL_ID = `0x${"ab".repeat(32)}`;
const PAIR = `maker:desk:${WETH.address}:${USDC.address}`;
const CHECKSUMMED = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const NONE = { excludedPools: [], excludedTokens: [], connectorTokens: [] };
const ALL = { excludedPools: [POOL], excludedTokens: [TAKER], connectorTokens: [WBTC.address] };

/** Limits of the route. */
export const LIMITS: ParameterTable = {
  good: [
    ["a pool", { excludedPools: [POOL] }, { limits: { ...NONE, excludedPools: [POOL] } }],
    ["a token", { excludedTokens: [WBTC.address] }, { limits: { ...NONE, excludedTokens: [WBTC.address] } }],
    ["a connector", { connectorTokens: [WBTC.address] }, { limits: { ...NONE, connectorTokens: [WBTC.address] } }],
    ["two hops", { maxHops: "2" }, { limits: { ...NONE, maxHops: 2 } }],
    ["nine fills", { maxFills: "9" }, { limits: { ...NONE, maxFills: 9 } }],
    ["all of them", { ...ALL, maxHops: "3", maxFills: "7" }, { limits: { ...ALL, maxHops: 3, maxFills: 7 } }],
  ],
  edge: [
    ["empty lists", { excludedPools: [""], excludedTokens: ["", " "], connectorTokens: [] }, { limits: undefined }],
    [
      "a pool that nobody knows, in capitals",
      { excludedPools: [OTHER.toUpperCase().replace("X", "x")] },
      { limits: { ...NONE, excludedPools: [OTHER] } },
    ],
    ["a longer id", { excludedPools: [POOL_ID] }, { limits: { ...NONE, excludedPools: [POOL_ID] } }],
    ["a maker's pair", { excludedPools: [PAIR] }, { limits: { ...NONE, excludedPools: [PAIR] } }],
    [
      "pools in any order, twice",
      { excludedPools: [POOL, OTHER, ` ${POOL} `] },
      { limits: { ...NONE, excludedPools: [OTHER, POOL] } },
    ],
    [
      "pools with commas in an element",
      { excludedPools: [`${POOL},${OTHER}`] },
      { limits: { ...NONE, excludedPools: [OTHER, POOL] } },
    ],
    [
      "as many pools as may be",
      { excludedPools: addresses(MAX_NAMED) },
      { limits: { ...NONE, excludedPools: addresses(MAX_NAMED) } },
    ],
    [
      "a pool after many repeats of another",
      { excludedPools: [`${`${POOL},`.repeat(MAX_NAMED + 1)}${OTHER}`] },
      { limits: { ...NONE, excludedPools: [OTHER, POOL] } },
    ],
    ["a token that nobody knows", { excludedTokens: [TAKER] }, { limits: { ...NONE, excludedTokens: [TAKER] } }],
    [
      "the native token to exclude",
      { excludedTokens: [NATIVE_TOKEN.toUpperCase().replace("X", "x")] },
      { limits: { ...NONE, excludedTokens: [NATIVE_TOKEN] } },
    ],
    [
      "a token of the swap as connector, with its checksum",
      { connectorTokens: [CHECKSUMMED, NATIVE_TOKEN] },
      { limits: { ...NONE, connectorTokens: [WETH.address, NATIVE_TOKEN].sort() } },
    ],
    ["one hop", { maxHops: "1" }, { limits: { ...NONE, maxHops: 1 } }],
    ["one fill", { maxFills: "1" }, { limits: { ...NONE, maxFills: 1 } }],
    ["as many hops and fills as the service allows", { maxHops: "4", maxFills: "128" }, { limits: undefined }],
  ],
  bad: [
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
    [
      "one pool too often",
      { excludedPools: Array(MAX_ELEMENTS + 1).fill(POOL) },
      ["excludedPools", "OUT_OF_RANGE", /more than 256 elements/],
    ],
    [
      "too many tokens between commas",
      { excludedTokens: [`${",".repeat(MAX_ELEMENTS)}${TAKER}`] },
      ["excludedTokens", "OUT_OF_RANGE", /more than 256 elements/],
    ],
    [
      "as many elements as a list may have",
      { excludedPools: [...Array(MAX_ELEMENTS - 1).fill(POOL), "?"] },
      ["excludedPools", "INVALID_POOL"],
    ],
    ["too many pools", { excludedPools: addresses(MAX_NAMED + 1) }, ["excludedPools", "OUT_OF_RANGE", /at most 64/]],
    [
      "nonsense, of which ten are explained",
      { excludedPools: Array.from({ length: 30 }, (_, i) => `pool ${i}`) },
      ...Array.from({ length: 10 }, () => ["excludedPools", "INVALID_POOL"] as const),
    ],

    ["a symbol to exclude", { excludedTokens: ["WBTC"] }, ["excludedTokens", "INVALID_ADDRESS"]],
    ["a token with a wrong checksum", { excludedTokens: [WRONG_CHECKSUM] }, ["excludedTokens", "INVALID_CHECKSUM"]],
    ["the zero address to exclude", { excludedTokens: [ZERO] }, ["excludedTokens", "ZERO_ADDRESS"]],
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
    ["too many tokens", { excludedTokens: addresses(MAX_NAMED + 1) }, ["excludedTokens", "OUT_OF_RANGE"]],

    ["a symbol to lead over", { connectorTokens: ["WBTC"] }, ["connectorTokens", "INVALID_ADDRESS"]],
    [
      "a connector cut short",
      { connectorTokens: [WBTC.address.slice(0, -1)] },
      ["connectorTokens", "INVALID_ADDRESS", /39/],
    ],
    ["too many connectors", { connectorTokens: addresses(MAX_NAMED + 1) }, ["connectorTokens", "OUT_OF_RANGE"]],
    [
      "a token to lead over and to exclude",
      { connectorTokens: [WBTC.address], excludedTokens: [WBTC.address] },
      ["connectorTokens", "CONFLICT", /both name/],
    ],

    ...(["maxHops", "maxFills"] as const).flatMap((field): RefusedRow[] => [
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
  ],
};

const TOPIC = `0x${"cd".repeat(32)}`;
const LOG = { address: POOL, topics: [TOPIC], data: "0x01" };
const logs = (count: number): readonly object[] => Array.from({ length: count }, () => LOG);
const overrides = (...given: readonly object[]): Given => ({ overrides: given, skipValidation: true });

/** The state that is priced at: blocks 90 to 94 and 96 to 100 are held, and logs may come on top. */
export const STATE: ParameterTable = {
  good: [
    ["a block", { blockNumber: "92" }, { block: 92n }],
    ["one log", overrides(LOG), { overrides: [LOG] }],
  ],
  edge: [
    ["the oldest block", { blockNumber: "90" }, { block: 90n }],
    ["the newest block", { blockNumber: "100" }, { block: 100n }],
    ["no log", overrides(), { overrides: undefined }],
    ["a log without data", overrides({ address: POOL, topics: [TOPIC] }), { overrides: [{ ...LOG, data: "0x" }] }],
    ["a log without topics", overrides({ ...LOG, topics: [] }), { overrides: [{ ...LOG, topics: [] }] }],
    [
      "a log that leaves them out",
      overrides({ address: POOL }),
      { overrides: [{ address: POOL, topics: [], data: "0x" }] },
    ],
    [
      "four topics",
      overrides({ ...LOG, topics: [TOPIC, TOPIC, TOPIC, TOPIC] }),
      { overrides: [{ ...LOG, topics: [TOPIC, TOPIC, TOPIC, TOPIC] }] },
    ],
    [
      "a log in capitals",
      overrides({
        address: `0x${POOL.slice(2).toUpperCase()}`,
        topics: [`0x${TOPIC.slice(2).toUpperCase()}`],
        data: "0xAB",
      }),
      { overrides: [{ ...LOG, data: "0xab" }] },
    ],
    ["as many logs as may be", overrides(...logs(MAX_LOGS)), { overrides: logs(MAX_LOGS) }],
  ],
  bad: [
    [
      "a block that is gone",
      { blockNumber: "89" },
      ["blockNumber", "OUT_OF_RANGE", /89 is not held\. Blocks 90 to 94, and 96 to 100 are held/],
    ],
    ["a block that is missing in between", { blockNumber: "95" }, ["blockNumber", "OUT_OF_RANGE"]],
    ["a block to come", { blockNumber: "101" }, ["blockNumber", "OUT_OF_RANGE", /96 to 100/]],
    ["a word", { blockNumber: "latest" }, ["blockNumber", "INVALID_INTEGER", /leave it out to have the newest/]],
    ["a block in hex", { blockNumber: "0x5a" }, ["blockNumber", "INVALID_INTEGER"]],
    ["a block with a sign", { blockNumber: "-1" }, ["blockNumber", "INVALID_INTEGER"]],
    ["a block with a leading zero", { blockNumber: "090" }, ["blockNumber", "INVALID_INTEGER"]],
    ["an empty block", { blockNumber: "" }, ["blockNumber", "INVALID_INTEGER"]],
    ["more digits than any block has", { blockNumber: "9".repeat(300) }, ["blockNumber", "OUT_OF_RANGE"]],

    ["one too many", { overrides: logs(MAX_LOGS + 1) }, ["overrides", "OUT_OF_RANGE", /at most 64/]],
    ["a log without an address", { overrides: [LOG, { topics: [TOPIC] }] }, ["overrides[1].address", "REQUIRED"]],
    [
      "an address cut short",
      { overrides: [{ ...LOG, address: POOL.slice(0, -1) }] },
      ["overrides[0].address", "INVALID_ADDRESS", /39/],
    ],
    ["a name", { overrides: [{ ...LOG, address: "USDC/WETH" }] }, ["overrides[0].address", "INVALID_ADDRESS"]],
    ["the zero address", { overrides: [{ ...LOG, address: ZERO }] }, ["overrides[0].address", "ZERO_ADDRESS"]],
    [
      "five topics",
      { overrides: [{ ...LOG, topics: Array(5).fill(TOPIC) }] },
      ["overrides[0].topics", "OUT_OF_RANGE", /has 5 elements.*at most 4/],
    ],
    [
      "a topic cut short",
      { overrides: [{ ...LOG, topics: [TOPIC, "0x12"] }] },
      ["overrides[0].topics", "INVALID_LOG", /"0x12"/],
    ],
    [
      "a topic that is no hex",
      { overrides: [{ ...LOG, topics: ["Sync"] }] },
      ["overrides[0].topics", "INVALID_LOG", /64 hex/],
    ],
    ["half a byte", { overrides: [{ ...LOG, data: "0x012" }] }, ["overrides[0].data", "INVALID_LOG", /two hex digits/]],
    ["data without 0x", { overrides: [{ ...LOG, data: "01" }] }, ["overrides[0].data", "INVALID_LOG"]],
    ["no data at all", { overrides: [{ ...LOG, data: "" }] }, ["overrides[0].data", "INVALID_LOG"]],
    [
      "problems of several logs",
      { overrides: [{ ...LOG, address: "x" }, LOG, { ...LOG, data: "y" }], maxHops: "0" },
      ["maxHops", "OUT_OF_RANGE"],
      ["overrides[0].address", "INVALID_ADDRESS"],
      ["overrides[2].data", "INVALID_LOG"],
    ],
    ["a taker", { overrides: [LOG], takerAddress: TAKER }, ["overrides", "CONFLICT", /takerAddress/]],
    ["a simulation", { overrides: [LOG], skipValidation: false }, ["overrides", "CONFLICT", /skipValidation/]],
  ],
};
