import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { assertPublicHost, isPublic, publicLookup } from "../../src/makers/guarded-lookup.ts";
import { askPeer } from "../../src/makers/guarded-request.ts";

const PRIVATE = [
  ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1"],
  ...["172.31.255.255", "192.0.0.1", "192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255"],
  ...["::", "::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::7f00:1"],
  ...["fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1", "2002:7f00:1::", "not an address"],
];
const PUBLIC = ["1.1.1.1", "8.8.8.8", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"];

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<URL> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const open = { headers: {}, allowPrivateNetwork: true };
const guarded = { headers: {}, allowPrivateNetwork: false };

describe("a maker's host", () => {
  it("is on the public internet or not", () => {
    expect(PRIVATE.filter(isPublic)).toEqual([]);
    expect(PUBLIC.filter((ip) => !isPublic(ip))).toEqual([]);
  });

  it("is refused by its address, in whatever form a URL has it", () => {
    const forms = [
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "127.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[fe80::1]",
    ];
    for (const form of [...forms, "169.254.169.254", "10.0.0.1", "0"]) {
      expect(() => assertPublicHost(new URL(`https://${form}/`)), form).toThrow("not on the public internet");
    }
    expect(() => assertPublicHost(new URL("https://1.1.1.1/"))).not.toThrow();
  });

  it("is refused by what its name leads to, at the very connection", async () => {
    const look = promisify(
      publicLookup as (host: string, options: object, done: (error: Error | null) => void) => void,
    );
    await expect(look("localhost", { all: true })).rejects.toThrow("not on the public internet");
    await expect(look("localhost", {})).rejects.toThrow("not on the public internet");
    let reached = 0;
    const url = await serve((_, response) => {
      reached += 1;
      response.end();
    });
    for (const host of ["localhost", "127.0.0.1"]) {
      url.hostname = host;
      await expect(askPeer(url, guarded, AbortSignal.timeout(5_000))).rejects.toThrow("not on the public internet");
    }
    expect(reached).toBe(0);
  });
});

describe("a maker's answer", () => {
  const json =
    (text: string): RequestListener =>
    (_, response) =>
      void response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(text);

  it("is its status and its JSON", async () => {
    const url = await serve(json('{"a": [1]}'));
    expect(await askPeer(url, open, AbortSignal.timeout(5_000))).toEqual({ status: 200, body: { a: [1] } });
  });

  it("ends at 256 KiB", async () => {
    const text = (bytes: number) => JSON.stringify("x".repeat(bytes - 2));
    const most = await serve(json(text(256 * 1024)));
    expect((await askPeer(most, open, AbortSignal.timeout(5_000))).status).toBe(200);
    server?.close();
    const more = await serve(json(text(256 * 1024 + 1)));
    await expect(askPeer(more, open, AbortSignal.timeout(5_000))).rejects.toThrow("an answer above 262144 bytes");
  });

  it("never tells where it was asked, or with what, when it does not come", async () => {
    const url = new URL("http://127.0.0.1:9/path-with-a-key");
    const peer = { headers: { authorization: "Bearer hush" }, allowPrivateNetwork: true };
    const fault = await askPeer(url, peer, AbortSignal.timeout(5_000), "{}").catch((error: Error) => error);
    expect(fault).toBeInstanceOf(Error);
    expect(String(fault)).not.toMatch(/hush|path-with|127\.0\.0\.1/);
  });
});
