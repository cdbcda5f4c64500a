import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { FleetEntrySchema } from "#gen/snapshot/v1/fleet_pb.ts";
import { toAddress } from "../../src/domain/address.ts";
import { decodeEntry, encodeEntry, FLEET_VERSION, type FleetEntry } from "../../src/snapshot/fleet-codec.ts";

const TOKEN = toAddress(`0x${"1".repeat(40)}`);
const ENTRY: FleetEntry = {
  ...{ token: 1_795_806_033_837, sequence: 12, from: 11, parts: [new Uint8Array([1, 2, 3])], silentMs: 250 },
  ...{ blockHash: `0x${"a".repeat(64)}`, unavailable: "The chain is being reorganized." },
  sources: [
    {
      id: "Uniswap_V2",
      pools: 3,
      asleep: 2,
      withheld: 1,
      off: "nobody answers",
      unserved: [{ reason: "PAUSED", pools: 4 }],
    },
  ],
  found: {
    pools: [
      {
        source: "Uniswap_V2",
        ref: { id: "pool", address: TOKEN, tokens: [TOKEN], terms: { fee: "3" } },
        pool: undefined,
      },
    ],
    ...{
      upTo: 99n,
      searches: [{ sources: ["Uniswap_V2"], next: 5n, to: 90n }],
      deepSince: [[TOKEN, 7n]],
      sources: ["Uniswap_V2"],
    },
  },
};

/** An entry as another version's writer makes it, with a field that this one does not know. */
function written(version: number, readableFrom: number): Uint8Array {
  const message = fromBinary(FleetEntrySchema, encodeEntry(ENTRY));
  const later = create(FleetEntrySchema, { ...message, version, readableFrom });
  // Field 100, a string of two bytes.
  return Uint8Array.from([...toBinary(FleetEntrySchema, later), 0xa2, 0x06, 0x02, 0x68, 0x69]);
}

test("an entry of the fleet's feed is read as it was written", () => {
  expect(decodeEntry(encodeEntry(ENTRY))).toMatchObject(ENTRY);
  const bare = { ...ENTRY, parts: [], sources: [], unavailable: undefined, found: undefined };
  expect(decodeEntry(encodeEntry(bare))).not.toHaveProperty("unavailable");
});

test("one version to either side is read, what it says more is passed over", () => {
  expect(decodeEntry(written(FLEET_VERSION + 1, FLEET_VERSION))).toMatchObject(ENTRY);
  expect(decodeEntry(written(FLEET_VERSION + 1, FLEET_VERSION))).not.toHaveProperty("isOlder");
  expect(decodeEntry(written(FLEET_VERSION - 1, FLEET_VERSION - 1))).toMatchObject({ ...ENTRY, isOlder: true });
});

test("what this version cannot understand is refused with what to do", () => {
  expect(() => decodeEntry(written(FLEET_VERSION + 2, FLEET_VERSION + 1))).toThrow(/go up one version at a time/);
  expect(() => decodeEntry(new Uint8Array([255, 255, 255]))).toThrow();
});
