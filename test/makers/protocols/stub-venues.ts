import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { WebSocketServer } from "ws";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { RfqFunction } from "../../../src/domain/maker-order.ts";
import { ANSWERS, type Asked, type Parties } from "../../settlement/pools/rfq-makers.ts";
import { sendJson } from "../scripted-makers.ts";

/**
 * Bebop, Hashflow and a maker of 0x v4 as their public documentation has them, behind one port of this machine:
 * docs.bebop.xyz (price-api, rfq-api), docs.hashflow.com (taker, API v3), 0xProject/quote-server.
 */
export interface StubVenues {
  readonly port: number;
  /** Quote tokens for one base token; what is sold and bought differs by a thousandth. */
  price: number;
  /** Base tokens at each of the two levels. */
  size: number;
  /** By which function the maker of 0x has its orders filled. */
  zeroEx: "0x-rfq" | "0x-otc";
  /** Values of a firm order's fields in place of the honest ones, before it is signed. */
  changes: Readonly<Record<string, unknown>>;
  /** The factor of the rate that firm orders are given at. */
  fade: number;
  expiry: bigint;
  /** Answers in place of a venue; undefined: it answers itself. */
  instead: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Every request for a firm order: its path with query, its body. */
  readonly heard: { readonly url: string; readonly body: string }[];
  stop(): Promise<void>;
}

/** Tokens that are traded, and who settles. */
export interface StubOptions {
  readonly base: { readonly address: Address; readonly decimals: number };
  readonly quote: { readonly address: Address; readonly decimals: number };
  readonly parties: Omit<Parties, "contract">;
  readonly contracts: Readonly<Record<RfqFunction, Address>>;
  readonly keys: { readonly bebop: string; readonly hashflow: string; readonly zeroEx: string };
}

const SPREAD = 1.001;
const PRICE_DIGITS = 6;

export async function startStubVenues(options: StubOptions): Promise<StubVenues> {
  const { base, quote, contracts, parties, keys } = options;
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    if (request.headers.authorization !== keys.bebop || request.headers.name !== "tributary") {
      socket.end("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const send = () => opened.send(stub.instead === undefined ? pricingUpdate() : Buffer.from("<html></html>"));
      const timer = setInterval(send, 100);
      opened.on("close", () => clearInterval(timer));
      send();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const stub: StubVenues = {
    port: (server.address() as AddressInfo).port,
    ...{ price: 3_000, size: 20, zeroEx: "0x-rfq", changes: {}, fade: 1, expiry: 2n ** 40n, instead: undefined },
    heard: [],
    async stop() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };

  const bids = () => [
    [stub.price, stub.size],
    [stub.price * 0.999, stub.size],
  ];
  const asks = () => [
    [stub.price * SPREAD, stub.size],
    [stub.price * 1.002, stub.size],
  ];

  function pricingUpdate(): Uint8Array {
    const floats = (levels: readonly number[][]) => {
      const writer = new BinaryWriter();
      for (const number of levels.flat()) writer.float(number);
      return writer.finish();
    };
    const raw = (address: Address) => Buffer.from(address.slice(2), "hex");
    const pair = new BinaryWriter()
      .tag(1, 2)
      .bytes(raw(base.address))
      .tag(2, 2)
      .bytes(raw(quote.address))
      .tag(3, 0)
      .uint64(1_700_000_000_000)
      .tag(4, 2)
      .bytes(floats(bids()))
      .tag(5, 2)
      .bytes(floats(asks()))
      .finish();
    return new BinaryWriter().tag(1, 2).bytes(pair).finish();
  }

  /** Amounts of a trade at the book's first price, whatever the size. */
  function trade(takerToken: Address, makerToken: Address, takerAmount?: string, makerAmount?: string): Asked {
    const sells = takerToken === base.address;
    const price = BigInt(Math.round(stub.price * (sells ? 1 : SPREAD) * 10 ** PRICE_DIGITS));
    const quoteUnits = 10n ** BigInt(quote.decimals) * price;
    const baseUnits = 10n ** BigInt(base.decimals + PRICE_DIGITS);
    const [num, den] = sells ? [quoteUnits, baseUnits] : [baseUnits, quoteUnits];
    const fade = BigInt(Math.round(stub.fade * 1e6));
    const amounts =
      takerAmount === undefined
        ? {
            makerAmount: BigInt(makerAmount!),
            takerAmount: (BigInt(makerAmount!) * den * 1_000_000n) / (num * fade) + 1n,
          }
        : { takerAmount: BigInt(takerAmount), makerAmount: (BigInt(takerAmount) * num * fade) / (den * 1_000_000n) };
    return { takerToken, makerToken, ...amounts, expiry: stub.expiry, changes: stub.changes };
  }

  const answer = (by: RfqFunction, asked: Asked) => ANSWERS[by](asked, { ...parties, contract: contracts[by] });
  const given = (value: string | null | undefined) => value ?? undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", "http://stub");
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    if (url.pathname !== "/hashflow/price-levels") stub.heard.push({ url: request.url ?? "", body });
    if (stub.instead !== undefined) return stub.instead(request, response);
    const query = (name: string) => url.searchParams.get(name);
    if (url.pathname === "/bebop/quote") {
      if (request.headers["source-auth"] !== keys.bebop) return sendJson(response, 401, { error: "key" });
      const [sell, buy] = [toAddress(query("sell_tokens") ?? ""), toAddress(query("buy_tokens") ?? "")];
      const asked = trade(sell, buy, given(query("sell_amounts")), given(query("buy_amounts")));
      return sendJson(response, 200, await answer("bebop-single", asked));
    }
    if (url.pathname === "/0x/rfqt/v2/quote") {
      if (request.headers["0x-api-key"] !== keys.zeroEx)
        return sendJson(response, 401, { errors: ["Invalid API key"] });
      const [sell, buy] = [toAddress(query("sellTokenAddress") ?? ""), toAddress(query("buyTokenAddress") ?? "")];
      const asked = trade(sell, buy, given(query("sellAmountBaseUnits")), given(query("buyAmountBaseUnits")));
      return sendJson(response, 200, await answer(stub.zeroEx, asked));
    }
    if (request.headers.authorization !== keys.hashflow) return sendJson(response, 401, { error: "key" });
    if (url.pathname === "/hashflow/price-levels") return sendJson(response, 200, priceLevels(query("source")));
    const { source, rfqs } = JSON.parse(body);
    const [{ baseToken, quoteToken, baseTokenAmount, quoteTokenAmount }] = rfqs;
    if (source !== "tributary") return sendJson(response, 400, { status: "fail" });
    const asked = trade(baseToken, quoteToken, baseTokenAmount, quoteTokenAmount);
    const text = JSON.stringify(await answer("hashflow-rfqt", asked));
    // Its nonces are numbers, of more digits than a double holds.
    response.writeHead(200, { "content-type": "application/json" }).end(text.replace(/"nonce":"(\d+)"/, '"nonce":$1'));
  }

  function priceLevels(source: string | null): unknown {
    if (source !== "tributary") return { status: "fail", error: "source" };
    const ladder = (from: Address, to: Address, levels: readonly (readonly number[])[]) => ({
      pair: { baseToken: from, quoteToken: to },
      levels: levels.map(([p, q]) => ({ q: String(q), p: String(p) })),
    });
    const there = bids();
    const back = asks().map(([p, q]) => [1 / p!, p! * q!]);
    return {
      status: "success",
      levels: { mm1: [ladder(base.address, quote.address, there), ladder(quote.address, base.address, back)], mm2: [] },
    };
  }

  return stub;
}
