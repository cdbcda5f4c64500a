import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import http2 from "node:http2";
import { request } from "node:https";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { DEFAULT_SERVER_CONFIG } from "../../../src/api/server.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { PRICE, REQUEST } from "../../support/door/price-call.ts";
import { makeCertificate } from "../../support/process/certificate.ts";

const connections = { ...DEFAULT_SERVER_CONFIG.connections, headersTimeoutMs: 500 };

const tls = makeCertificate();

describe.skipIf(tls === undefined)("with a certificate", () => {
  let door: Door;
  let baseUrl: string;
  const ca = tls?.cert;
  beforeAll(async () => {
    door = await openDoor({ tls, connections });
    baseUrl = `https://127.0.0.1:${door.port}`;
  });
  afterAll(() => door.server.drain(1_000));

  const get = (path: string) =>
    new Promise<{ status: number | undefined; version: string; body: string }>((resolve, reject) => {
      const call = request(baseUrl + path, { ca, headers: { "api-key": KEY } }, (response) => {
        let body = "";
        response.on("data", (chunk) => {
          body += chunk;
        });
        response.once("end", () => resolve({ status: response.statusCode, version: response.httpVersion, body }));
      });
      call.once("error", reject).end();
    });

  test("the container's health check is content, with a certificate and without", async () => {
    const file = readFileSync(new URL("../../../deploy/Containerfile", import.meta.url), "utf8");
    const [, command = "[]"] = /^HEALTHCHECK .*\n +CMD (\[.*\])$/m.exec(file) ?? [];
    const [, ...args] = JSON.parse(command) as string[];
    const check = (port: number, more = {}) =>
      new Promise((resolve) => {
        execFile(process.execPath, args, { env: { PORT: String(port), ...more } }, (error) =>
          resolve(error?.code ?? 0),
        );
      });
    const plain = await openDoor({ connections });
    expect(await check(door.port, { TLS_CERT_FILE: "cert.pem" })).toBe(0);
    expect(await check(plain.port)).toBe(0);
    await plain.server.drain(1_000);
    expect(await check(plain.port)).toBe(1);
  });

  test("HTTP/1.1 is served", async () => {
    const { status, version, body } = await get(PRICE);
    expect({ status, version }).toEqual({ status: 200, version: "1.1" });
    expect(JSON.parse(body)).toMatchObject({ buyAmount: "2000" });
  });

  const transports: Record<string, () => Transport> = {
    gRPC: () => createGrpcTransport({ baseUrl, nodeOptions: { ca } }),
    "Connect over HTTP/1.1": () => createConnectTransport({ baseUrl, httpVersion: "1.1", nodeOptions: { ca } }),
    "Connect over HTTP/2": () => createConnectTransport({ baseUrl, httpVersion: "2", nodeOptions: { ca } }),
  };
  test.each(Object.entries(transports))("%s is served, streams too", async (_, transport) => {
    const client = createClient(SwapService, transport());
    const options = { headers: { "api-key": KEY } };
    expect(await client.getPrice(REQUEST, options)).toMatchObject({ buyAmount: "2000" });
    for await (const { update } of client.watchPrice(REQUEST, options)) {
      expect(update.case).toBe("price");
      break;
    }
  });

  test("HTTP/2 is agreed on by ALPN, and other protocols are not", async () => {
    const session = http2.connect(baseUrl, { ca });
    await new Promise((resolve) => session.once("connect", resolve));
    expect(session.alpnProtocol).toBe("h2");
    session.close();
    const failed = new Promise<string>((resolve) => {
      connectTls({ host: "127.0.0.1", port: door.port, ca, ALPNProtocols: ["spdy/3"] }).once("error", (error) =>
        resolve(String(error)),
      );
    });
    expect(await failed).toMatch(/no.application.protocol/i);
  });

  test("cleartext and silence are cut, and others go on", async () => {
    const closed = (text: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(door.port, "127.0.0.1", () => socket.write(text));
        let answer = "";
        socket.on("data", (chunk) => {
          answer += chunk.toString("latin1");
        });
        socket.on("error", () => {});
        socket.once("close", () => resolve(answer));
      });
    expect(await closed("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")).not.toContain("HTTP/1.1 200");
    await closed("");
    expect((await get("/livez")).status).toBe(200);
  });

  test("a shutdown waits for nobody who is still shaking hands", async () => {
    const other = await openDoor({
      tls,
      connections: { ...connections, headersTimeoutMs: 60_000, requestTimeoutMs: 60_000 },
    });
    const socket = connect(other.port, "127.0.0.1");
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await new Promise((resolve) => socket.once("connect", resolve));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await other.server.drain(30_000);
    await closed;
  });
});
