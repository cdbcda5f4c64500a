import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { afterEach, expect, test } from "vitest";
import { ServerReflectionRequestSchema } from "#gen/grpc/reflection/v1/reflection_pb.ts";
import { file_swap_v1_swap } from "#gen/swap/v1/swap_pb.ts";
import { DEFAULT_BOUNDS } from "../../../src/api/limits/bounds.ts";
import { indexDescriptors } from "../../../src/api/rpc/descriptor-index.ts";
import { openGrpcStream, openSession } from "../../support/door/h2-streams.ts";
import { type Door, openDoor } from "../../support/door/http.ts";

const PATHS = ["/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "/grpc.health.v1.Health/Watch"];
const [REFLECTION] = PATHS as [string];
const RESOURCE_EXHAUSTED = "8";

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
async function sessionOf(door: Door) {
  ends.push(() => door.server.drain(100));
  const session = openSession(door.port);
  ends.push(() => session.destroy());
  await new Promise((resolve) => session.once("remoteSettings", resolve));
  return session;
}

/** A question for the file that declares the service, framed for gRPC. */
const message = toBinary(
  ServerReflectionRequestSchema,
  create(ServerReflectionRequestSchema, {
    messageRequest: { case: "fileContainingSymbol", value: "swap.v1.SwapService" },
  }),
);
const framed = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);

test.each(PATHS)("a caller that resets %s is no defect", async (path) => {
  const door = await openDoor();
  const session = await sessionOf(door);
  for (let i = 0; i < 8; i++) openGrpcStream(session, path, { message, more: true }).stream.close(8);
  await expect.poll(() => door.log.filter(({ outcome }) => outcome === "ABANDONED").length).toBeGreaterThan(0);
  expect(door.log.filter(({ level }) => Number(level) > 40)).toEqual([]);
});

test("one stream is sent the schema some times over, and not without end", async () => {
  const session = await sessionOf(await openDoor());
  const { stream, seen } = openGrpcStream(session, REFLECTION, { message, more: true });
  for (let i = 0; i < 40; i++) stream.write(framed);
  stream.end();
  await expect.poll(() => seen.isOver).toBe(true);
  expect(seen.status).toBe(RESOURCE_EXHAUSTED);
  expect(seen.message).toContain("open another");
  expect(seen.bytes).toBeGreaterThan(20_000);
  expect(seen.bytes).toBeLessThan(400_000);
});

test("each question of a stream counts as a request without a key", async () => {
  const door = await openDoor({ bounds: { ...DEFAULT_BOUNDS, keylessPerSecondAndAddress: 5 } });
  const session = await sessionOf(door);
  const { stream, seen } = openGrpcStream(session, REFLECTION, { more: true });
  // An empty question is answered with an error of a few bytes: it is not the bytes that end this.
  for (let i = 0; i < 20; i++) stream.write(Buffer.alloc(5));
  stream.end();
  await expect.poll(() => seen.isOver).toBe(true);
  expect(seen.bytes).toBeGreaterThan(0);
  expect(seen.status).toBe(RESOURCE_EXHAUSTED);
});

test("a descriptor is encoded once", () => {
  const index = indexDescriptors([file_swap_v1_swap]);
  const bytes = index.encoded(file_swap_v1_swap);
  expect(index.encoded(file_swap_v1_swap)).toBe(bytes);
  expect(bytes).toEqual(toBinary(FileDescriptorProtoSchema, file_swap_v1_swap.proto));
});
