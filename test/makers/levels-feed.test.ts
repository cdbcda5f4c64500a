import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { toAddress } from "../../src/domain/address.ts";
import { createLevelsFeed } from "../../src/makers/levels-feed.ts";
import { createMaker, type Maker } from "../../src/makers/maker.ts";
import type { MakerRecord } from "../../src/makers/maker-record.ts";
import { createLogger } from "../../src/ops/logger.ts";

const BASE = `0x${"ab".repeat(20)}`;
const QUOTE = `0x${"12".repeat(20)}`;
const text = (quoteAmount: number) =>
  JSON.stringify({
    type: "levels",
    chainId: 1,
    pairs: [{ base: BASE, quote: QUOTE, bids: [["100", String(quoteAmount)]], asks: [] }],
  });

let server: WebSocketServer | undefined;
let maker: Maker | undefined;
afterEach(() => {
  maker?.stop();
  for (const client of server?.clients ?? []) client.terminate();
  server?.close();
});

/** A maker's socket, and the service's side of it. */
async function connect(levelsMaxAgeMs: number, onClient: (client: WebSocket, connection: number) => void) {
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  const headers: (string | undefined)[] = [];
  const log: string[] = [];
  server.on("connection", (client, request) => {
    client.on("error", () => {});
    headers.push(request.headers.authorization);
    onClient(client, headers.length);
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = new URL(`ws://127.0.0.1:${port}/a-key-in-the-path`);
  const record: MakerRecord = {
    name: "Alpha",
    levels: { transport: "socket", url },
    pairs: [],
    ordersUrl: new URL("http://127.0.0.1:1/"),
    accounts: [toAddress(BASE)],
    signers: [],
    erc1271: false,
    headers: { authorization: "Bearer hush" },
    allowPrivateNetwork: true,
  };
  maker = createMaker({
    record,
    chainId: 1,
    levelsMaxAgeMs,
    elapsed: () => performance.now(),
    logger: createLogger("trace", { write: (line) => void log.push(line) }),
  });
  return { maker, headers, log };
}

const bid = (of: Maker) => {
  const [pool] = of.levels();
  return pool?.curve === "levels" ? pool.state.bids[0]?.makerAmount : undefined;
};

it("levels come over a socket, and each message replaces the one before", async () => {
  const { maker, headers } = await connect(60_000, (client) => {
    client.send(text(200));
    client.send(text(201));
  });
  await maker.firstLevels;
  await expect.poll(() => bid(maker)).toBe(201n);
  expect(maker.levels()[0]).toMatchObject({
    id: `maker:alpha:${BASE}:${QUOTE}`,
    source: "Alpha",
    tokens: [BASE, QUOTE],
  });
  expect(maker.state()).toEqual({ pools: 1, status: "live" });
  expect(headers).toEqual(["Bearer hush"]);
});

/** Counts messages read from a socket up to the last of `many`, if reading one takes `readMs`. */
async function readUntil(many: number, readMs: number, onClient: (client: WebSocket) => void): Promise<number> {
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", onClient);
  await once(server, "listening");
  const url = new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const record = { levels: { transport: "socket", url }, headers: {}, allowPrivateNetwork: true } as never;
  const read: unknown[] = [];
  let elapsedMs = 0;
  const message = (json: unknown) => {
    read.push(json);
    elapsedMs += readMs;
  };
  const feed = createLevelsFeed({
    maker: record,
    silentMs: 60_000,
    events: { message, fault: () => {} },
    elapsed: () => elapsedMs,
  });
  await expect.poll(() => read.at(-1)).toEqual(JSON.parse(text(many)));
  feed?.stop();
  return read.length;
}

it("a maker that never rests is read now and then, the newest message always", async () => {
  const many = 400;
  const count = await readUntil(many, 0, (client) => {
    for (let i = 1; i <= many; i++) client.send(text(i));
  });
  expect(count).toBeLessThan(many / 4);
});

it("a maker whose messages take long to read is read the more seldom", async () => {
  const many = 40;
  const begun = performance.now();
  const count = await readUntil(many, 40, (client) => {
    let sent = 0;
    const timer = setInterval(() => {
      client.send(text(++sent));
      if (sent === many) clearInterval(timer);
    }, 20);
  });
  // One at the beginning and one in each 760 ms after that; one in every 50 ms would be many more.
  expect(count).toBeLessThanOrEqual(2 + (performance.now() - begun) / 760);
});

it("the same levels told again are the same object, and stay fresh", async () => {
  const { maker } = await connect(1_000, (client) => {
    const timer = setInterval(() => client.send(text(200)), 50);
    client.on("close", () => clearInterval(timer));
  });
  await maker.firstLevels;
  const first = maker.levels();
  await new Promise((resolve) => setTimeout(resolve, 1_400));
  expect(maker.levels()).toBe(first);
});

it("levels that are not told again are not quoted, and a mute socket is made anew", async () => {
  const { maker, headers, log } = await connect(150, (client, connection) => {
    client.send(text(200 + connection));
  });
  await maker.firstLevels;
  expect(bid(maker)).toBeDefined();
  await expect.poll(() => maker.levels()).toEqual([]);
  expect(maker.state()).toEqual({ pools: 0, status: "stale" });
  await expect.poll(() => headers.length).toBeGreaterThan(1);
  await expect.poll(() => bid(maker)).toBeGreaterThan(201n);
  expect(log.join()).toContain("the socket is mute");
});

it("a message that breaks a rule leaves the levels before it, and a message beyond 256 KiB ends the connection", async () => {
  const { maker, headers, log } = await connect(60_000, (client, connection) => {
    client.send(text(200));
    client.send(text(0));
    client.send("{");
    if (connection === 1) setTimeout(() => client.send("x".repeat(300 * 1024)), 100);
  });
  await maker.firstLevels;
  await expect.poll(() => headers.length).toBe(2);
  expect(bid(maker)).toBe(200n);
  expect(log.join()).toContain("a message that is no JSON");
  expect(log.join()).not.toMatch(/hush|a-key-in-the-path/);
});
