import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A node behind a door of its own that knows all methods but eth_simulateV1, as Hardhat's does. */
export async function withoutSimulation(rpcUrl: string): Promise<{ readonly url: string; stop(): Promise<unknown> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const refused = { jsonrpc: "2.0", id, error: { code: -32601, message: "the method does not exist" } };
    const simulates = method === "eth_simulateV1";
    const headers = { "content-type": "application/json" };
    const answer = simulates ? JSON.stringify(refused) : await fetch(rpcUrl, { method: "POST", headers, body });
    response.setHeader("content-type", "application/json");
    response.end(typeof answer === "string" ? answer : await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
