import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LocalAccount } from "viem/accounts";
import { type Book, bookAround } from "../../src/devnet/maker/book.ts";
import { type Answer, createReferenceDesk } from "../../src/devnet/maker/desk.ts";
import { readMidPrices } from "../../src/devnet/maker/mid-prices.ts";
import { createJsonRpc } from "../../src/devnet/node/json-rpc.ts";
import type { DevnetLayout } from "../../src/devnet/plan/layout.ts";
import { type Address, type Hex, toAddress } from "../../src/domain/address.ts";
import type { MakerRecord } from "../../src/makers/maker-record.ts";

/** A maker's response to a request for a firm order. `honest` gives a good maker's answer. */
export type Behaviour = (exchange: {
  readonly question: Readonly<Record<string, unknown>>;
  readonly honest: (changed?: Readonly<Record<string, unknown>>) => Promise<Answer>;
  readonly response: ServerResponse;
}) => Promise<void>;

/** One request that a maker got. */
export interface Heard {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A maker whose behaviour a test decides. */
export interface ScriptedMaker {
  readonly name: string;
  readonly record: MakerRecord;
  behave: Behaviour;
  /** Its levels; none at first. */
  books: readonly Book[];
  /** All that it was ever asked, levels included. */
  readonly heard: Heard[];
}

export interface ScriptedMakers {
  readonly makers: ReadonlyMap<string, ScriptedMaker>;
  readonly port: number;
  /** Books around the pairs' middles, which pay so many parts in 10,000 more for the base token than the middle. */
  books(pairs: readonly (readonly [string, string])[], aboveBps: bigint): Promise<readonly Book[]>;
  stop(): Promise<void>;
}

/** Signs what it is asked for. */
export const honestly: Behaviour = async ({ honest, response }) => sendJson(response, 200, await honest());

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/**
 * Makers behind one port. Names that begin with "Rfq" show no levels and deal in `pairs`; the others are polled.
 * `secret` is what they are to be sent as authorization.
 */
export async function startScriptedMakers(options: {
  readonly names: readonly string[];
  readonly rpcUrl: string;
  readonly layout: DevnetLayout;
  readonly chainId: number;
  readonly settlement: Address;
  readonly account: LocalAccount;
  readonly pairs?: readonly (readonly [string, string])[];
  readonly secret: string;
}): Promise<ScriptedMakers> {
  const { names, layout, chainId, settlement, account } = options;
  const makers = new Map<string, ScriptedMaker>();
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const desks = new Map(
    names.map((name, i) => {
      return [name, createReferenceDesk({ chainId, settlement, account, firstNonce: BigInt(i + 1) << 100n })] as const;
    }),
  );

  for (const name of names) {
    const rfq = name.startsWith("Rfq");
    makers.set(name, {
      name,
      record: {
        name,
        levels: rfq
          ? undefined
          : { transport: "poll", url: new URL(`http://127.0.0.1:${port}/${name}/levels`), everyMs: 40 },
        pairs: rfq ? (options.pairs ?? []).map(([a, b]) => [layout.token(a).address, layout.token(b).address]) : [],
        ordersUrl: new URL(`http://127.0.0.1:${port}/${name}/orders`),
        accounts: [toAddress(account.address)],
        signers: [],
        erc1271: false,
        headers: { authorization: options.secret },
        allowPrivateNetwork: true,
      },
      behave: honestly,
      books: [],
      heard: [],
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = "", what] = (request.url ?? "").split("/");
    const maker = makers.get(name);
    const desk = desks.get(name);
    if (maker === undefined || desk === undefined) return sendJson(response, 404, {});
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    maker.heard.push({ path: request.url ?? "", headers: request.headers, body });
    if (what === "levels") {
      response.writeHead(200, { "content-type": "application/json" }).end(desk.levels(maker.books));
      return;
    }
    const question = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const honest = (changed = {}) => desk.answer(maker.books, { ...question, ...changed });
    await maker.behave({ question, honest, response });
  }

  const rpc = createJsonRpc(options.rpcUrl);
  return {
    makers,
    port,
    async books(pairs, aboveBps) {
      const { hash } = await rpc.call<{ readonly hash: Hex }>("eth_getBlockByNumber", ["latest", false]);
      const middles = await readMidPrices(rpc, layout, pairs, hash);
      return middles.map((middle) =>
        bookAround({ ...middle, quoteAmount: (middle.quoteAmount * (10_000n + aboveBps)) / 10_000n }),
      );
    },
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
