import { Agent, request as httpRequest } from "node:http";
import { credentials, loadPackageDefinition, Metadata } from "@grpc/grpc-js";
import { load } from "@grpc/proto-loader";

/** One way to ask: sends a request and resolves when its answer is there. */
export interface Load {
  readonly name: string;
  send(): Promise<void>;
  close(): void;
}

export interface Target {
  readonly port: number;
  readonly key: string;
  readonly request: Readonly<Record<string, string>>;
}

/** HTTP/1.1 with kept-alive connections. */
function http(
  name: string,
  port: number,
  path: () => string,
  headers: Record<string, string>,
  body?: () => string,
): Load {
  const agent = new Agent({ keepAlive: true });
  const options = { agent, host: "127.0.0.1", port, headers, method: body === undefined ? "GET" : "POST" };
  return {
    name,
    send: () =>
      new Promise((resolve, reject) => {
        const call = httpRequest({ ...options, path: path() }, (response) => {
          response.resume();
          response.once("end", () =>
            response.statusCode === 200 ? resolve() : reject(new Error(`${name}: HTTP ${response.statusCode}`)),
          );
        });
        call.once("error", reject);
        call.end(body?.());
      }),
    close: () => agent.destroy(),
  };
}

export function bare(port: number): Load {
  return http("bare node:http", port, () => "/", {});
}

/** Source of requests, one per call. */
export type Requests = () => Target["request"];

/** Source that always gives one request. */
export function same(request: Target["request"]): Requests {
  return () => request;
}

/** Another amount each time: nothing that was answered before helps. */
export function fresh(request: Target["request"]): Requests {
  let more = 0n;
  return () => {
    more += 1n;
    return { ...request, sellAmount: String(BigInt(request.sellAmount ?? 0) + more) };
  };
}

export function rest(name: string, { port, key }: Target, requests: Requests): Load {
  return http(name, port, () => `/swap/v1/price?${new URLSearchParams(requests())}`, { "api-key": key });
}

export function connectPost(name: string, { port, key }: Target, requests: Requests): Load {
  const headers = { "api-key": key, "content-type": "application/json" };
  return http(
    name,
    port,
    () => "/swap.v1.SwapService/GetPrice",
    headers,
    () => JSON.stringify(requests()),
  );
}

export async function grpc(name: string, { port, key }: Target, requests: Requests): Promise<Load> {
  const includeDirs = [new URL("../../proto", import.meta.url).pathname];
  const loaded = loadPackageDefinition(await load("swap/v1/swap.proto", { includeDirs })) as unknown as {
    swap: { v1: { SwapService: new (address: string, creds: object) => GrpcClient } };
  };
  const client = new loaded.swap.v1.SwapService(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set("api-key", key);
  return {
    name,
    send: () =>
      new Promise((resolve, reject) => {
        client.getPrice(requests(), metadata, (error) => (error === null ? resolve() : reject(error)));
      }),
    close: () => client.close(),
  };
}

interface GrpcClient {
  getPrice(request: object, metadata: Metadata, done: (error: Error | null) => void): void;
  close(): void;
}
