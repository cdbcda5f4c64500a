import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GetPriceRequestSchema } from "#gen/swap/v1/swap_pb.ts";
import { h2Request } from "../../support/door/h2-request.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { GRPC, REQUEST } from "../../support/door/price-call.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

describe("a timeout longer than any timer", () => {
  const message = toBinary(GetPriceRequestSchema, create(GetPriceRequestSchema, REQUEST));
  const enveloped = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 30));

  test.each(["2147484S", "99999999S", "99999999H"])("of gRPC is no timeout that is over: %s", async (timeout) => {
    door.quoting.before = slow;
    const seen = await h2Request(door.port, { ...GRPC, "api-key": KEY, "grpc-timeout": timeout }, enveloped);
    door.quoting.before = async () => {};
    expect(seen).toMatchObject({ trailers: true, endedByHeaders: false });
  });

  test.each(["2147483648", "9999999999"])("of Connect is no timeout that is over: %s", async (timeout) => {
    door.quoting.before = slow;
    const headers = { ...GRPC, "content-type": "application/proto", "api-key": KEY, "connect-timeout-ms": timeout };
    const seen = await h2Request(door.port, headers, Buffer.from(message));
    door.quoting.before = async () => {};
    expect(seen.headers[":status"]).toBe(200);
  });
});
