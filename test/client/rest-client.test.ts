import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { USDC, WETH } from "../../fixtures/door/fake-quoting.ts";
import { createSwapClient, createWebTransport } from "../../src/client/index.ts";
import { createRestClient } from "../../src/client/rest.ts";
import type { CallOptions } from "../../src/client/swap-client.ts";
import { type Door, KEY, openDoor } from "../support/door/http.ts";

const PAIR = { sellToken: WETH.address, buyToken: USDC.address };
const REQUEST = { ...PAIR, sellAmount: 1000n };
const LOG = { address: USDC.address, topics: [`0x${"11".repeat(32)}`], data: "0x" };

/** A message without what protobuf adds, and without members that are not set. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name, it]) => !name.startsWith("$") && it !== undefined);
  return Object.fromEntries(entries.map(([name, it]) => [name, plain(it)]));
}

describe("the client over REST", () => {
  let door: Door;
  const clients = () => ({
    rest: createRestClient({ baseUrl: `${door.origin}/`, apiKey: KEY }),
    connect: createSwapClient({ transport: createWebTransport(door.origin), apiKey: KEY }),
  });
  type Client = ReturnType<typeof clients>["rest"];

  beforeAll(async () => {
    door = await openDoor();
  });
  afterAll(() => door.server.drain(1_000));

  it.each([
    [
      "price",
      (it: Client) => it.price({ ...REQUEST, excludedSources: ["SushiSwap", "Uniswap_V2"], skipValidation: true }),
    ],
    ["ladder", (it: Client) => it.ladder({ ...PAIR, sellAmounts: [1n, 1000n, 10n ** 30n] })],
    ["prices", (it: Client) => it.prices([REQUEST, { ...REQUEST, sellToken: "ETH" }], { blockNumber: 99 })],
    ["quote", (it: Client) => it.quote({ ...REQUEST, takerAddress: USDC.address })],
    ["sources", (it: Client) => it.sources()],
    ["tokens", (it: Client) => it.tokens({ pageSize: 1 })],
    ["chain", (it: Client) => it.chain()],
  ])("answers %s as Connect does", async (_, call) => {
    const { rest, connect } = clients();
    // Ages are in seconds, and one may end between the two calls.
    await vi.waitFor(async () => {
      const answer = await call(rest);
      expect(answer).toEqual(plain(await call(connect)));
      expect(Object.keys(answer).length).toBeGreaterThan(0);
    });
  });

  it("takes its key to no host that a redirect names", async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(createRestClient({ baseUrl, apiKey: KEY }).chain()).rejects.toMatchObject({ kind: "NOT_REACHED" });
    expect(asked).toEqual(["/swap/v1/chain"]);
    server.close();
  });

  it.each([
    ["a link that is none", { docs: 7 }],
    ["problems that are none", { validationErrors: { field: "x" } }],
  ])("goes by the status of a refusal with %s", async (_, refusal) => {
    const own = async () => new Response(JSON.stringify(refusal), { status: 400 });
    const client = createRestClient({ baseUrl: door.origin, apiKey: KEY, fetch: own });
    await expect(client.chain()).rejects.toMatchObject({ kind: "INVALID_PARAMETERS", problems: [] });
  });

  it.each([200, 400])("reads no more of an endless answer with status %s than a service would send", async (status) => {
    let [sent, left] = [0, false];
    const part = new Uint8Array(1 << 20).fill(0x20);
    const own = async () =>
      new Response(
        new ReadableStream({
          pull: (body) => {
            sent += 1;
            // A hundred MiB, should the client go on.
            if (sent > 100) body.close();
            else body.enqueue(part);
          },
          cancel: () => {
            left = true;
          },
        }),
        { status },
      );
    const client = createRestClient({ baseUrl: door.origin, apiKey: KEY, fetch: own });
    const refused = { kind: "INTERNAL", message: expect.stringMatching(/longer than 16777216 bytes.*check baseUrl/) };
    const byStatus = { kind: "INVALID_PARAMETERS" };
    await expect(client.chain()).rejects.toMatchObject(status === 200 ? refused : byStatus);
    expect([left, sent < 20]).toEqual([true, true]);
  });

  it("says that a stream broke off which ends without an error", async () => {
    const own = async () => new Response(`data: {"heartbeat":{"blockNumber":"1"}}\n\n`);
    const client = createRestClient({ baseUrl: door.origin, apiKey: KEY, fetch: own });
    const told: unknown[] = [];
    const read = (async () => {
      for await (const { kind } of client.watch(REQUEST)) told.push(kind);
    })();
    await expect(read).rejects.toMatchObject({ kind: "NOT_REACHED" });
    expect(told).toEqual(["heartbeat"]);
  });

  it("sends logs to come as a body", async () => {
    const { rest, connect } = clients();
    const call = (it: Client) => it.price({ ...REQUEST, overrides: [LOG] });
    expect(await call(rest)).toEqual(plain(await call(connect)));
  });

  it("refuses a misspelt parameter before anything is sent", async () => {
    const unsent = createRestClient({ baseUrl: "http://nowhere.example", apiKey: KEY });
    await expect(unsent.price({ ...REQUEST, slipage: "1" } as never)).rejects.toMatchObject({
      kind: "INVALID_PARAMETERS",
      problems: [expect.objectContaining({ reason: "UNKNOWN_PARAMETER" })],
    });
    expect(() => createRestClient({ baseUrl: "", apiKey: "a\nb" })).toThrow(RangeError);
  });

  it("watches a price until the loop is left, or the service refuses", async () => {
    const { rest } = clients();
    for await (const update of rest.watch(REQUEST)) {
      expect(update).toMatchObject({ kind: "price", price: { sellAmount: "1000" } });
      break;
    }
    const refused = rest
      .watch({ ...REQUEST, sellToken: "ETH" })
      [Symbol.asyncIterator]()
      .next();
    await expect(refused).rejects.toMatchObject({ kind: "INVALID_PARAMETERS" });
  });

  it("gives up when it is told to, or is late", async () => {
    door.quoting.before = () => new Promise((resolve) => setTimeout(resolve, 5_000));
    const { rest } = clients();
    const price = (options: CallOptions) => rest.price({ ...REQUEST, sellAmount: 7n }, options);
    await expect(price({ timeoutMs: 20 })).rejects.toMatchObject({ kind: "DEADLINE_EXCEEDED", isRetryable: true });
    const signal = AbortSignal.timeout(20);
    await expect(price({ signal })).rejects.toMatchObject({ kind: "CANCELED", isRetryable: false });
  });
});
