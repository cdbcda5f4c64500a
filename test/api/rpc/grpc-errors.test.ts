import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refuse } from "../../../src/domain/errors/swap-error.ts";
import { callGrpcJs, type GrpcFailure } from "../../support/door/grpc-js.ts";
import { h2Request } from "../../support/door/h2-request.ts";
import { type Door, openDoor } from "../../support/door/http.ts";
import { GRPC, REQUEST } from "../../support/door/price-call.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

describe("gRPC errors", () => {
  test("go out as one HEADERS frame that ends the stream", async () => {
    const { headers, endedByHeaders, trailers } = await h2Request(door.port, GRPC, Buffer.from("\0\0\0\0\0", "latin1"));
    expect({ endedByHeaders, trailers }).toEqual({ endedByHeaders: true, trailers: false });
    expect(headers).toMatchObject({ ":status": 200, "grpc-status": "16", "content-type": /^application\/grpc/ });
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("of an unknown method too", async () => {
    const { headers, endedByHeaders } = await h2Request(door.port, { ...GRPC, ":path": "/swap.v1.SwapService/Nope" });
    expect(endedByHeaders).toBe(true);
    expect(headers).toMatchObject({ ":status": 200, "grpc-status": "12" });
  });

  test("that are UNAVAILABLE are retried by the client's own policy", async () => {
    let calls = 0;
    door.quoting.before = async () => {
      if (++calls < 3) throw refuse("UNAVAILABLE", "no fresh state");
    };
    const serviceConfig = {
      methodConfig: [
        {
          name: [{ service: "swap.v1.SwapService" }],
          retryPolicy: {
            maxAttempts: 4,
            initialBackoff: "0.01s",
            maxBackoff: "0.02s",
            backoffMultiplier: 1,
            retryableStatusCodes: ["UNAVAILABLE"],
          },
        },
      ],
    };
    const answer = await callGrpcJs(door.port, "getPrice", REQUEST, {
      channel: { "grpc.service_config": JSON.stringify(serviceConfig) },
    });
    door.quoting.before = async () => {};
    expect(answer).toMatchObject({ buyAmount: "2000" });
    expect(calls).toBe(3);
  });

  test("have messages that clients read as they were written", async () => {
    const message = 'pool 0x00: 3 % of sellToken, /path?x=1&y=[2] (größer) #4 + "5"';
    door.quoting.before = async () => {
      throw refuse("TRANSACTION_REVERTS", message);
    };
    const failure = await callGrpcJs(door.port, "getPrice", REQUEST).then(
      () => expect.fail("the call went through"),
      (error: GrpcFailure) => error,
    );
    door.quoting.before = async () => {};
    expect(failure.details).toBe(message);
    expect(failure.metadata.get("x-request-id")).toHaveLength(1);
  });
});
