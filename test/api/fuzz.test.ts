import http2 from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GetPriceRequestSchema } from "#gen/swap/v1/swap_pb.ts";
import { USDC, WETH } from "../support/fake-quoting.ts";
import { type Door, KEY, openDoor } from "../support/http.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const RUNS = LONG ? 200_000 : 400;
const AT_ONCE = 50;
const SEED = 20261120;
const RPC = "/swap.v1.SwapService/GetPrice";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

const NAMES = [
  ...["sellToken", "buyToken", "sellAmount", "buyAmount", "slippagePercentage", "takerAddress", "excludedSources"],
  ...["includedSources", "integratorPercentageFee", "integratorRecipientAddress", "gasPrice", "skipValidation"],
  "priceImpactProtectionPercentage",
];

const name = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: fc.string() });
const value = fc.oneof(
  fc.constantFrom(
    WETH.address,
    USDC.address,
    "1000",
    "0.01",
    "true",
    "Uniswap_V2",
    "",
    "0",
    "1e400",
    "NaN",
    "-1",
    "WETH",
  ),
  fc.bigInt({ min: -(2n ** 260n), max: 2n ** 260n }).map(String),
  fc.double().map(String),
  fc.string({ unit: "binary" }),
);
const changes = fc.array(fc.tuple(name, value), { maxLength: 4 });
const VALID: readonly [string, string][] = [
  ["sellToken", WETH.address],
  ["buyToken", USDC.address],
  ["sellAmount", "1000"],
];

/** Sends RUNS samples, some at once, and counts what came back. */
async function countAnswers<T>(
  arbitrary: fc.Arbitrary<T>,
  send: (sample: T) => Promise<string>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let done = 0; done < RUNS; done += AT_ONCE) {
    const samples = fc.sample(arbitrary, { numRuns: AT_ONCE, seed: SEED + done });
    for (const answer of await Promise.all(samples.map(send))) counts.set(answer, (counts.get(answer) ?? 0) + 1);
    door.quoting.asked.length = 0;
    door.log.length = 0;
  }
  return counts;
}

/** A valid message with some bytes changed, cut or added. */
const mutations = fc.array(
  fc.record({ at: fc.nat(200), byte: fc.nat(255), kind: fc.constantFrom("set", "cut", "add") }),
  { maxLength: 4 },
);

function mutate(bytes: Buffer, steps: readonly { at: number; byte: number; kind: string }[]): Buffer {
  return steps.reduce((all, { at, byte, kind }) => {
    const where = at % (all.length + 1);
    if (kind === "cut") return all.subarray(0, where);
    const rest = all.subarray(kind === "set" ? where + 1 : where);
    return Buffer.concat([all.subarray(0, where), Buffer.from([byte]), rest]);
  }, bytes);
}

const MESSAGE = Buffer.from(toBinary(GetPriceRequestSchema, create(GetPriceRequestSchema, Object.fromEntries(VALID))));

describe("whatever is sent is answered in the documented way", { timeout: LONG ? 3_600_000 : 60_000 }, () => {
  test("REST", async () => {
    const counts = await countAnswers(fc.tuple(fc.boolean(), changes), async ([valid, extra]) => {
      const query = new URLSearchParams([...(valid ? VALID : []), ...extra]);
      const { status, body } = await door.get(`/swap/v1/price?${query}`);
      if (status === 200) expect(body.chainId).toBe(31337);
      else {
        expect(body).toMatchObject({ code: 100, reason: "INVALID_PARAMETERS" });
        expect(body.validationErrors.length).toBeGreaterThan(0);
        for (const item of body.validationErrors)
          expect(Object.keys(item)).toEqual(["field", "code", "reason", "description"]);
      }
      return String(status);
    });
    expect([...counts.keys()].sort()).toEqual(["200", "400"]);
    for (const count of counts.values()) expect(count).toBeGreaterThan(RUNS / 50);
  });

  test("Connect JSON", async () => {
    const json = fc.oneof(
      fc.jsonValue().map((any) => JSON.stringify(any)),
      fc
        .array(fc.tuple(name, fc.oneof(value, fc.jsonValue())), { maxLength: 4 })
        .map((extra) => JSON.stringify({ ...Object.fromEntries(VALID), ...Object.fromEntries(extra) })),
      mutations.map((steps) =>
        mutate(Buffer.from(JSON.stringify(Object.fromEntries(VALID))), steps).toString("latin1"),
      ),
    );
    const counts = await countAnswers(json, async (body) => {
      const response = await fetch(door.origin + RPC, {
        method: "POST",
        headers: { "api-key": KEY, "content-type": "application/json" },
        body,
      });
      const answer = (await response.json()) as { code?: string; details?: unknown[] };
      if (response.status !== 200)
        expect(answer).toMatchObject({ code: "invalid_argument", details: expect.anything() });
      return String(response.status);
    });
    expect([...counts.keys()].sort()).toEqual(["200", "400"]);
    for (const count of counts.values()) expect(count).toBeGreaterThan(RUNS / 50);
  });

  test("gRPC and gRPC-Web", async () => {
    const session = http2.connect(door.origin);
    const calls = fc.tuple(fc.constantFrom("grpc", "grpc-web"), mutations, fc.boolean());
    const counts = await countAnswers(calls, async ([protocol, steps, lengthToo]) => {
      const message = lengthToo ? MESSAGE : mutate(MESSAGE, steps);
      const envelope = Buffer.alloc(5);
      envelope.writeUInt32BE(message.length, 1);
      const whole = Buffer.concat([envelope, message]);
      return grpcStatusOf(session, protocol, lengthToo ? mutate(whole, steps) : whole);
    });
    session.close();
    const statuses = [...counts.keys()];
    // 0 OK, 3 invalid, 8 too large, 12 not one message, 13 a flag for a compression that was never agreed.
    expect(statuses.filter((status) => !["0", "3", "8", "12", "13"].includes(status))).toEqual([]);
    expect(counts.get("0")).toBeGreaterThan(RUNS / 50);
    expect(counts.get("3")).toBeGreaterThan(RUNS / 10);
  });
});

function grpcStatusOf(session: http2.ClientHttp2Session, protocol: string, body: Buffer): Promise<string> {
  const stream = session.request({
    ":method": "POST",
    ":path": RPC,
    "content-type": `application/${protocol}`,
    "api-key": KEY,
    te: "trailers",
  });
  let status: string | undefined;
  let text = "";
  const take = (headers: http2.IncomingHttpHeaders) => {
    if (headers["grpc-status"] !== undefined) status = String(headers["grpc-status"]);
  };
  return new Promise((resolve, reject) => {
    stream.on("response", take).on("trailers", take).on("error", reject);
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    stream.on("close", () => resolve(status ?? /grpc-status: (\d+)/i.exec(text)?.[1] ?? "none"));
    stream.end(body);
  });
}
