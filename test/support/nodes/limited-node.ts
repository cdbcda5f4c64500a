import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A node that takes so many requests in each second and answers 429 to the rest. Loopback only. */
export interface LimitedNode {
  readonly rpcUrl: string;
  /** Bodies of the requests since this was last called, those that were refused included. */
  takeRequests(): readonly string[];
  stop(): Promise<void>;
}

export async function startLimitedNode(options: {
  readonly rpcUrl: string;
  readonly requestsPerSecond: number;
}): Promise<LimitedNode> {
  let requests: string[] = [];
  let window = 0;
  let taken = 0;

  /** Whether a request is one too many, counted as most providers do: by whole seconds. */
  function isTooMany(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== window) [window, taken] = [second, 0];
    taken += 1;
    return taken > options.requestsPerSecond;
  }

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    requests.push(body);
    if (isTooMany()) return void response.writeHead(429, { "retry-after": "1" }).end("slower");
    try {
      const answer = await fetch(options.rpcUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      response.setHeader("content-type", "application/json");
      response.end(await answer.text());
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeRequests() {
      const seen = requests;
      requests = [];
      return seen;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
