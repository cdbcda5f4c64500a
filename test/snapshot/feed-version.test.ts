import { createFileRegistry, type DescMessage, type FileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FeedUpdateSchema } from "#gen/snapshot/v1/feed_pb.ts";
import { FleetEntrySchema } from "#gen/snapshot/v1/fleet_pb.ts";
import { PoolSchema } from "#gen/snapshot/v1/snapshot_pb.ts";
import { VERSION } from "../../src/ops/version.ts";
import { decodeUpdate, feedEncoder } from "../../src/snapshot/feed-codec.ts";
import { FLEET_VERSION, READABLE_FROM } from "../../src/snapshot/fleet-codec.ts";
import { anySavedPool } from "../support/saved-pools.ts";
import record from "./feed-of-release.json" with { type: "json" };

const released = createFileRegistry(fromBinary(FileDescriptorSetSchema, base64Decode(record.messages)));
/** Messages that an entry is made of: its own, and those of the updates in it. */
const ENTRY = [FleetEntrySchema, FeedUpdateSchema];
/** Messages that are shown to people and decide no answer: a reader may pass over what it does not know of them. */
const SHOWN: ReadonlySet<string> = new Set(["snapshot.v1.SourceStanding", "snapshot.v1.UnservedPools"]);
/** A state but for its pools. */
const HEAD = {
  block: { number: 2n, hash: `0x${"2".repeat(64)}`, parentHash: `0x${"1".repeat(64)}`, timestamp: 3n },
  ...{ gasPrice: 1n, mostGas: 2n, hubs: [] },
} as const;

/** Fields of messages and of those in them: what a reader has to know of each. */
function fieldsOf(roots: readonly DescMessage[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const seen = new Set<string>();
  const look = (message: DescMessage) => {
    if (seen.has(message.typeName)) return;
    seen.add(message.typeName);
    for (const { proto, message: inner } of message.fields) {
      const { name, number, label, type, typeName } = proto;
      fields.set(`${message.typeName} ${number}`, [name, label, type, typeName].join(" "));
      if (inner !== undefined) look(inner);
    }
  };
  for (const root of roots) look(root);
  return fields;
}

function messageOf(registry: FileRegistry, { typeName }: DescMessage): DescMessage {
  const message = registry.getMessage(typeName);
  if (message === undefined) throw new Error(`the release has no ${typeName}`);
  return message;
}

const before = fieldsOf(ENTRY.map((message) => messageOf(released, message)));
const now = fieldsOf(ENTRY);
const added = [...now.keys()].filter((field) => !before.has(field));

describe("the version of a fleet's feed", () => {
  test("is held against the newest release", () => {
    expect(record.release, "run node tools/feed-record.ts in the commit of a release").toBe(VERSION);
  });

  test("is one more than the release's where the messages differ, and the release's where they do not", () => {
    const isSame = added.length === 0 && [...before].every(([field, what]) => now.get(field) === what);
    expect(FLEET_VERSION, `fields that release ${record.release} does not know: ${added.join(", ")}`).toBe(
      record.feedVersion + (isSame ? 0 : 1),
    );
  });

  test("is the oldest that may read it where a reader that passes over what is new would have another market", () => {
    const misread = added.filter((field) => !SHOWN.has(field.split(" ", 1)[0]!));
    if (misread.length > 0) expect(READABLE_FROM, `new to a reader: ${misread.join(", ")}`).toBe(FLEET_VERSION);
    expect(READABLE_FROM).toBeGreaterThanOrEqual(FLEET_VERSION - 1);
  });

  test("keeps each field of the release, with its number and type", () => {
    for (const [field, what] of before) expect(now.get(field), field).toBe(what);
    expect(before.size).toBeGreaterThan(100);
  });
});

test("what the release writes of a pool is read, for each curve that it knows", () => {
  const [update, pool] = [FeedUpdateSchema, PoolSchema].map((message) => messageOf(released, message));
  const known = new Set(pool?.oneofs.find(({ name }) => name === "state")?.fields.map(({ localName }) => localName));
  const caseOf = (curve: string) => curve.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      anySavedPool.filter(({ curve }) => known.has(caseOf(curve))),
      (saved) => {
        const change = { slot: 0, before: undefined, pool: saved };
        const [bytes] = [...feedEncoder.encode({ sequence: 1, from: 0, pools: [change], head: HEAD })];
        // Values without a field in the release's messages are lost, as if the release had written them.
        const asWritten = toBinary(update!, fromBinary(update!, bytes!, { readUnknownFields: false }));
        const [read] = decodeUpdate(asWritten, () => undefined).pools;
        expect(read?.pool).toMatchObject({ id: saved.id, curve: saved.curve, tokens: saved.tokens });
        seen.add(saved.curve);
      },
    ),
    { numRuns: 300 },
  );
  expect(seen.size).toBe(known.size);
});
