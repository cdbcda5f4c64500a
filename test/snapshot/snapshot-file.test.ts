import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { create, fromBinary, fromJson, type JsonValue, type Message, toBinary, toJson } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SnapshotSchema } from "#gen/snapshot/v1/snapshot_pb.ts";
import {
  fromSnapshotMessage,
  readSnapshotFile,
  type SavedMarket,
  SnapshotFileError,
  toSnapshotMessage,
  writeSnapshotFile,
} from "../../src/snapshot/file.ts";
import {
  anyAddress as address,
  anyAmount as amount,
  anySavedPool,
  anyHash as hash,
  savedKinds as kinds,
  anySmall as small,
  anyText as text,
} from "../support/saved-pools.ts";

const pool = fc.record({
  pool: anySavedPool,
  fillData: fc.dictionary(
    text.filter((name) => name !== "__proto__"),
    text,
    { noNullPrototype: true },
  ),
});
const dataFee = fc.record(
  { fixed: amount, perByte: amount, asGas: fc.constant(true as const) },
  { requiredKeys: ["fixed", "perByte"] },
);
const market: fc.Arbitrary<SavedMarket> = fc.record(
  {
    chainId: small,
    block: fc.record({
      number: fc.bigInt(0n, 2n ** 64n - 1n),
      hash,
      parentHash: hash,
      timestamp: fc.bigInt(0n, 2n ** 64n - 1n),
    }),
    gasPrice: amount,
    mostGas: amount,
    dataFee,
    wrappedNative: address,
    referenceTokens: fc.array(address, { maxLength: 3 }),
    tokens: fc.array(fc.record({ address, symbol: text, name: text, decimals: fc.integer({ min: 0, max: 36 }) }), {
      maxLength: 3,
    }),
    sources: fc
      .record(
        {
          id: fc.constant("A_Source"),
          kind: fc.constantFrom("amm" as const, "maker" as const, "rfq" as const, "wrapper" as const),
          exactOut: fc.boolean(),
          assurance: fc.constantFrom("exact" as const, "modelled" as const),
          wrapsNative: fc.constant(true as const),
        },
        { requiredKeys: ["id", "kind", "exactOut", "assurance"] },
      )
      .map((source) => [source]),
    pools: fc.uniqueArray(pool, { selector: (entry) => entry.pool.id, maxLength: 6 }),
  },
  { requiredKeys: ["chainId", "block", "gasPrice", "wrappedNative", "referenceTokens", "tokens", "sources", "pools"] },
);

describe("what is saved is what is read", () => {
  it("for every curve with every part, in JSON and in binary", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(market, (saved) => {
        const message = toSnapshotMessage(saved);
        const json = JSON.stringify(toJson(SnapshotSchema, message));
        const fromText = fromJson(SnapshotSchema, JSON.parse(json) as JsonValue);
        expect(fromSnapshotMessage(fromText)).toEqual(saved);
        expect(fromSnapshotMessage(fromBinary(SnapshotSchema, toBinary(SnapshotSchema, message)))).toEqual(saved);
        expect(JSON.stringify(toJson(SnapshotSchema, toSnapshotMessage(fromSnapshotMessage(fromText))))).toBe(json);
        for (const entry of saved.pools) {
          const { curve, state } = entry.pool;
          for (const part of [curve, ...Object.keys(state).map((name) => `${curve}.${name}`)])
            seen.set(part, (seen.get(part) ?? 0) + 1);
        }
      }),
      { numRuns: 300, seed: 20_261_121 },
    );
    for (const kind of kinds) expect(seen.get(kind), kind).toBeGreaterThan(20);
    for (const part of ["protocolFeesPpm", "mostMoved", "key", "byTicks"])
      expect(seen.get(`concentrated.${part}`), part).toBeLessThan(seen.get("concentrated") as number);
    expect(seen.get("stableswap.offpegFeeMultiplier")).toBeLessThan(seen.get("stableswap") as number);
  });
});

const cache = fileURLToPath(new URL("../../.cache", import.meta.url));
let folder: string;
beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "snapshot-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The format as it was written once: what it says must be read for ever. */
const KEPT = fileURLToPath(new URL("market-v1.json", import.meta.url));

describe("a file", () => {
  it("of the first version is read, and written again to the letter", () => {
    const saved = readSnapshotFile(KEPT);
    const kept = new Set(saved.pools.map((entry) => entry.pool.curve));
    expect(kept, "add a pool of the new curve at the end of test/snapshot/market-v1.json").toEqual(new Set(kinds));
    const again = join(folder, "again.json");
    writeSnapshotFile(again, saved);
    expect(readFileSync(again, "utf8")).toBe(`${JSON.stringify(JSON.parse(readFileSync(KEPT, "utf8")))}\n`);
    const binary = join(folder, "again.pb");
    writeSnapshotFile(binary, saved);
    expect(readSnapshotFile(binary)).toEqual(saved);
  });

  const kept = () => JSON.parse(readFileSync(KEPT, "utf8")) as Record<string, unknown>;
  const pools = () => kept().pools as Record<string, Record<string, unknown>>[];
  const withPool = (index: number, change: object) => ({
    ...kept(),
    pools: pools().map((entry, i) => (i === index ? { ...entry, ...change } : entry)),
  });

  it.each([
    ["an unknown field", () => ({ ...kept(), colour: "red" }), /colour/],
    ["no block", () => ({ ...kept(), block: undefined }), /block/],
    ["a most gas that is no number", () => ({ ...kept(), mostGas: "many" }), /mostGas/],
    ["half a fee for data", () => ({ ...kept(), dataFee: { fixed: "1" } }), /dataFee.perByte/],
    ["a gas price with a point", () => ({ ...kept(), gasPrice: "1.5" }), /gasPrice/],
    ["a pool of an unknown curve", () => withPool(0, { constantProduct: undefined }), /no state of a known kind/],
    [
      "a reserve that is negative",
      () => withPool(0, { constantProduct: { ...pools()[0]?.constantProduct, reserves: ["-1", "2"] } }),
      /reserves: not an unsigned/,
    ],
    [
      "one reserve",
      () => withPool(0, { constantProduct: { ...pools()[0]?.constantProduct, reserves: ["1"] } }),
      /1 values where two belong/,
    ],
    [
      "an amount that is not canonical",
      () => withPool(0, { constantProduct: { ...pools()[0]?.constantProduct, feeNum: "03" } }),
      /feeNum/,
    ],
    ["a pool without its source", () => withPool(0, { source: "Nobody" }), /no source is called/],
    [
      "a source twice",
      () => ({ ...kept(), sources: [...(kept().sources as object[]), ...(kept().sources as object[])] }),
      /sources: two/,
    ],
    ["a pool twice", () => withPool(1, { id: pools()[0]?.id }), /twice/],
    [
      "three tokens",
      () => withPool(0, { tokens: [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}`) }),
      /3 tokens/,
    ],
    ["one token twice", () => withPool(0, { tokens: [1, 1].map((digit) => `0x${String(digit).repeat(40)}`) }), /twice/],
  ])("with %s is refused", (_, content, says) => {
    const file = join(folder, "bad.json");
    writeFileSync(file, JSON.stringify(content()));
    expect(() => readSnapshotFile(file)).toThrow(SnapshotFileError);
    expect(() => readSnapshotFile(file)).toThrow(says);
  });

  // No contract has such states: prices from them never end, or end with a division by zero.
  it.each([
    ["constantProduct", { feeNum: "1000" }],
    ["concentrated", { tickSpacing: -1 }],
    ["concentrated", { tickSpacing: 0 }],
    ["concentrated", { feePpm: 1_000_000 }],
    ["concentrated", { liquidity: "1" }],
    ["concentrated", { sqrtPriceX96: "1" }],
    ["solidly", { units: ["0", "1"] }],
    ["solidly", { feeBps: "10000" }],
    ["stableswap", { aPrecision: "0" }],
    ["stableswap", { fee: "10000000001" }],
    ["stableswap", { priceCheck: { prices: ["0", "1"], thresholds: ["1", "1"] } }],
    ["cryptoswap", { precisions: [] }],
    ["cryptoswap", { priceScale: ["1", "1"] }],
    ["cryptoswap", { generation: "first" }],
    ["weighted", { weights: ["1", "999999999999999999"] }],
    ["weighted", { scales: ["0", "1"] }],
    ["weighted", { swapFee: "1000000000000000000" }],
    ["composableStable", { swapFee: "1000000000000000000" }],
    ["balancerV3", { weights: ["1000000000000000000000", "800000000000000000"] }],
    ["balancerV3", { swapFee: "1000000000000000000" }],
    ["vault", { virtualShares: "0" }],
    ["balancerV3Buffer", { virtualShares: "0" }],
    ["psm", { to18: "0" }],
    ["sampledLadder", { swapGas: "0" }],
    ["sampledLadder", { asks: [{ takerAmount: "1", makerAmount: "0" }] }],
    [
      "sampledLadder",
      {
        bids: [
          { takerAmount: "2", makerAmount: "1" },
          { takerAmount: "1", makerAmount: "2" },
        ],
      },
    ],
    ["sampledLadder", { bids: [{ takerAmount: "340282366920938463463374607431768211456", makerAmount: "1" }] }],
  ] as const)("with a state of %s that no contract has is refused: %o", (curve, change) => {
    const index = pools().findIndex((entry) => curve in entry);
    const file = join(folder, "impossible.json");
    writeFileSync(file, JSON.stringify(withPool(index, { [curve]: { ...pools()[index]?.[curve], ...change } })));
    expect(() => readSnapshotFile(file)).toThrow(SnapshotFileError);
  });

  it("in binary with a field that this version does not know is refused, wherever it is", () => {
    const file = join(folder, "newer.pb");
    const message = toSnapshotMessage(readSnapshotFile(KEPT));
    const later = { no: 99, wireType: 0, data: Uint8Array.of(1) } as const;
    const state = message.pools[1]?.state.value;
    if (state === undefined) throw new Error("no state");
    for (const part of [message, message.block as Message, state]) {
      part.$unknown = [later];
      writeFileSync(file, toBinary(SnapshotSchema, message));
      expect(() => readSnapshotFile(file)).toThrow(/field 99: unknown/);
      part.$unknown = undefined;
    }
    writeFileSync(file, toBinary(SnapshotSchema, message));
    expect(readSnapshotFile(file)).toEqual(readSnapshotFile(KEPT));
  });

  it("in binary that was cut between two fields is refused", () => {
    const file = join(folder, "cut.pb");
    writeSnapshotFile(file, readSnapshotFile(KEPT));
    const bytes = readFileSync(file);
    const fields = new BinaryReader(bytes);
    const ends: number[] = [];
    while (fields.pos < fields.len) {
      ends.push(fields.pos);
      const [no, wireType] = fields.tag();
      fields.skip(wireType, no);
    }
    expect(ends.length).toBeGreaterThan(kinds.length);
    for (const end of ends) {
      writeFileSync(file, bytes.subarray(0, end));
      expect(() => readSnapshotFile(file), `${end} of ${bytes.length} bytes`).toThrow(
        /block: missing|pools: \d+ of \d+/,
      );
    }
  });

  it("in binary without a count of its pools, as the first version wrote it, is read", () => {
    const file = join(folder, "without-count.pb");
    const saved = readSnapshotFile(KEPT);
    writeFileSync(file, toBinary(SnapshotSchema, toSnapshotMessage(saved)));
    expect(readSnapshotFile(file)).toEqual(saved);
  });

  it("that is not there, no JSON, or no protobuf is refused", () => {
    const file = join(folder, "other.json");
    writeFileSync(file, "{");
    const bytes = join(folder, "other.pb");
    writeFileSync(bytes, Buffer.from("ffffffff", "hex"));
    for (const path of [join(folder, "nowhere.json"), file, bytes])
      expect(() => readSnapshotFile(path)).toThrow(SnapshotFileError);
    expect(() => fromSnapshotMessage(create(SnapshotSchema))).toThrow(SnapshotFileError);
  });
});
