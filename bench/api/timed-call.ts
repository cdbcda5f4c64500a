import { type Agent, request as httpRequest } from "node:http";
import type { Target } from "./load.ts";

/** An answer's status, and how long it took to come whole, in milliseconds. */
export interface Answered {
  readonly status: number;
  readonly ms: number;
}

/** Calls a path of the service over REST. */
export function send(agent: Agent, { port, key }: Target, path: string): Promise<Answered> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const call = httpRequest({ agent, host: "127.0.0.1", port, path, headers: { "api-key": key } }, (response) => {
      response.resume();
      response.once("end", () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - start }));
    });
    call.once("error", reject);
    call.end();
  });
}

/** The path that asks for a price. */
export function pricePathOf(request: Target["request"]): string {
  return `/swap/v1/price?${new URLSearchParams(request)}`;
}
