import { type Agent, request as httpRequest } from "node:http";
import type { Target } from "./load.ts";

/** An answer, with when its request was sent and how long it took to come whole, in milliseconds. */
export interface Answered {
  readonly status: number;
  readonly sentAt: number;
  readonly ms: number;
  readonly body: string;
}

/** Calls a path of the service over REST. */
export function send(agent: Agent, { port, key }: Target, path: string): Promise<Answered> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const call = httpRequest({ agent, host: "127.0.0.1", port, path, headers: { "api-key": key } }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        body += text;
      });
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, sentAt: start, ms: performance.now() - start, body }),
      );
    });
    call.once("error", reject);
    call.end();
  });
}

/** The path that asks for a price. */
export function pricePathOf(request: Target["request"]): string {
  return `/swap/v1/price?${new URLSearchParams(request)}`;
}
