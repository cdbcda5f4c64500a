import http2 from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WatchPriceRequestSchema } from "#gen/swap/v1/swap_pb.ts";
import { USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { refuse } from "../../../src/domain/errors/swap-error.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";

const WATCHES = 2_000;
const REQUESTS = 200;
/** Below the streams that the service lets one session have. */
const PER_SESSION = 100;

let door: Door;
const sessions: http2.ClientHttp2Session[] = [];
beforeAll(async () => {
  // No heartbeats: only changes are counted.
  const watchLimits = {
    // One key has no more than half of those that are free.
    ...{ mostWatches: 3 * WATCHES, mostWatchesPerKey: WATCHES, mostRequests: 3 * REQUESTS },
    ...{ mostRequestsPerKey: REQUESTS, heartbeatMs: 3_600_000 },
  };
  door = await openDoor({}, undefined, 31337, { watchLimits });
});
afterAll(async () => {
  for (const session of sessions) session.destroy();
  await door.server.drain(1_000);
});

/** Opens one watch over gRPC, or as server-sent events, and counts its messages. */
function open(session: http2.ClientHttp2Session, number: number): { messages: number } {
  const request = { sellToken: WETH.address, buyToken: USDC.address, sellAmount: String(1 + (number % REQUESTS)) };
  const seen = { messages: 0 };
  if (number % 2 === 0) {
    const stream = session.request({
      ":path": `/swap/v1/price/stream?${new URLSearchParams(request)}`,
      "api-key": KEY,
    });
    stream
      .on("error", () => {})
      .on("data", (chunk: Buffer) => {
        seen.messages += chunk.toString().split("data: ").length - 1;
      });
    return seen;
  }
  const path = "/swap.v1.SwapService/WatchPrice";
  const stream = session.request({
    ...{ ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers", "api-key": KEY },
  });
  let rest = Buffer.alloc(0);
  stream
    .on("error", () => {})
    .on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
        rest = rest.subarray(5 + rest.readUInt32BE(1));
        seen.messages += 1;
      }
    });
  const message = toBinary(WatchPriceRequestSchema, create(WatchPriceRequestSchema, request));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([head, message]));
  return seen;
}

test("2,000 open watches of 200 different requests cost 200 searches for a block", { timeout: 600_000 }, async () => {
  const watches = Array.from({ length: WATCHES }, (_, i) => {
    if (i % PER_SESSION === 0) sessions.push(http2.connect(door.origin).on("error", () => {}));
    return open(sessions.at(-1)!, i);
  });
  const told = (count: number) =>
    expect
      .poll(() => watches.filter(({ messages }) => messages !== count).length, { timeout: 120_000, interval: 200 })
      .toBe(0);
  await told(1);
  expect(door.watches.counts()).toEqual({ watches: WATCHES, requests: REQUESTS });
  for (let block = 1; block <= 4; block += 1) {
    door.quoting.asked.length = 0;
    // Prices and refusals in turn, so that every block changes something for everybody.
    door.quoting.before = async () => {
      if (block % 2 === 1) throw refuse("INSUFFICIENT_ASSET_LIQUIDITY", "no route");
    };
    door.market.publish();
    await told(1 + block);
    expect(door.quoting.asked).toHaveLength(REQUESTS);
  }
  // A block in which nothing changes costs the same, and nobody is told.
  door.quoting.asked.length = 0;
  door.market.publish();
  await expect.poll(() => door.quoting.asked.length, { timeout: 120_000 }).toBe(REQUESTS);
  await told(5);
});
