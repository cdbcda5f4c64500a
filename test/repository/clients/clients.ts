import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { callGrpcJs } from "../../support/door/grpc-js.ts";

/** An answer as a client that is not ours shows it, in the names of the API. */
export type Answer = Record<string, unknown>;

/** A way to call the service that shares no code with it. */
export interface OutsideClient {
  price(request: Readonly<Record<string, string>>): Promise<Answer>;
  quote(request: Readonly<Record<string, string>>): Promise<Answer>;
  close(): Promise<void>;
}

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const nothing = async () => {};

/** curl and REST. */
export function curl(port: number, key: string): OutsideClient {
  const get = async (path: string, request: Readonly<Record<string, string>>) => {
    const url = `http://127.0.0.1:${port}/swap/v1/${path}?${new URLSearchParams(request)}`;
    return JSON.parse((await run("curl", ["-s", "-H", `api-key: ${key}`, url])).stdout) as Answer;
  };
  return { price: (request) => get("price", request), quote: (request) => get("quote", request), close: nothing };
}

/** `buf curl` and gRPC, with the schema from server reflection. */
export function bufCurl(port: number, key: string): OutsideClient {
  const call = async (method: string, request: Readonly<Record<string, string>>) => {
    const url = `http://127.0.0.1:${port}/swap.v1.SwapService/${method}`;
    const args = ["curl", "--protocol", "grpc", "--http2-prior-knowledge", "-H", `api-key: ${key}`];
    return JSON.parse((await run("buf", [...args, "-d", JSON.stringify(request), url], { cwd: "/" })).stdout) as Answer;
  };
  return {
    price: (request) => call("GetPrice", request),
    quote: (request) => call("GetQuote", request),
    close: nothing,
  };
}

/** @grpc/grpc-js with a proto loader. */
export function grpcJs(port: number, key: string): OutsideClient {
  return {
    price: (request) => callGrpcJs(port, "getPrice", request, { key }),
    quote: (request) => callGrpcJs(port, "getQuote", request, { key }),
    close: nothing,
  };
}

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser of this machine, if it has one. */
export const browserPath: string | undefined = BROWSERS.find((path) => existsSync(path));

/** connect-web in a page of another origin. `origin` is where the page is served. */
export async function browser(port: number, key: string, page: { readonly port: number }): Promise<OutsideClient> {
  const script = await build({
    stdin: { contents: PAGE_SCRIPT, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
  });
  const html = `<!doctype html><script>${script.outputFiles[0]?.text.replaceAll("</script", "<\\/script")}</script>`;
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
  await once(server.listen(page.port, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const chrome = await chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox"] });
  const tab = await chrome.newPage();
  await tab.goto(origin);
  const call = async (method: string, request: Readonly<Record<string, string>>) => {
    const argument = JSON.stringify([`http://127.0.0.1:${port}`, key, method, request]);
    return JSON.parse((await tab.evaluate(`callTributary(...${argument})`)) as string) as Answer;
  };
  return {
    price: (request) => call("getPrice", request),
    quote: (request) => call("getQuote", request),
    async close() {
      await chrome.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Script of a web page: the generated schema and connect-web. */
const PAGE_SCRIPT = `
  import { toJsonString } from "@bufbuild/protobuf";
  import { createClient } from "@connectrpc/connect";
  import { createConnectTransport } from "@connectrpc/connect-web";
  import { GetPriceResponseSchema, GetQuoteResponseSchema, SwapService } from "./gen/swap/v1/swap_pb.ts";
  const schemas = { getPrice: GetPriceResponseSchema, getQuote: GetQuoteResponseSchema };
  globalThis.callTributary = async (baseUrl, key, method, request) => {
    const client = createClient(SwapService, createConnectTransport({ baseUrl }));
    const answer = await client[method](request, { headers: { "api-key": key } });
    return toJsonString(schemas[method], answer);
  };
`;
