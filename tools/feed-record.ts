/**
 * Writes test/snapshot/feed-of-release.json: the messages of a fleet's feed as the newest release speaks them. It belongs into the
 * commit of a release (CONTRIBUTING.md); test/snapshot/feed-version.test.ts holds later messages against it.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, type DescFile, toBinary } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_snapshot_v1_feed } from "#gen/snapshot/v1/feed_pb.ts";
import { file_snapshot_v1_fleet } from "#gen/snapshot/v1/fleet_pb.ts";
import { VERSION } from "../src/ops/version.ts";
import { FLEET_VERSION } from "../src/snapshot/fleet-codec.ts";

const target = fileURLToPath(new URL("../test/snapshot/feed-of-release.json", import.meta.url));

/** A file after those that it imports, each once. */
function withImports(file: DescFile, seen: Set<DescFile>): void {
  for (const imported of file.dependencies) withImports(imported, seen);
  seen.add(file);
}

const files = new Set<DescFile>();
for (const file of [file_snapshot_v1_feed, file_snapshot_v1_fleet]) withImports(file, files);
const set = create(FileDescriptorSetSchema, { file: [...files].map(({ proto }) => proto) });
const messages = base64Encode(toBinary(FileDescriptorSetSchema, set));
const record = { release: VERSION, feedVersion: FLEET_VERSION, messages };
writeFileSync(target, `${JSON.stringify(record, undefined, 2)}\n`);
