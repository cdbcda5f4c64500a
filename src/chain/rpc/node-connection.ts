import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import querystring from "node:querystring";
import { pipeline, type Readable } from "node:stream";
import { urlToHttpOptions } from "node:url";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { AnswerTooLargeError } from "./provider-errors.ts";

/** Whole HTTP answer of a node. */
export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** The time for an answer is over. */
export class NoAnswerInTime extends Error {
  override readonly name = "NoAnswerInTime";
}

/** The connection was closed on our side. */
export class ConnectionClosed extends Error {
  override readonly name = "ConnectionClosed";
}

/** Answers above this are cut off: of honest ones only logs of a range of blocks can be larger. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** A connection that nobody uses is closed after so long: servers close theirs soon, and would cut off the next request. */
const IDLE_MS = 4_000;
/** Decoders by the name of their coding. `deflate` is not offered: servers mean two formats by it. */
const DECODERS: ReadonlyMap<string, () => NodeJS.ReadWriteStream> = new Map<string, () => NodeJS.ReadWriteStream>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["br", createBrotliDecompress],
]);

/** Posts JSON to one address over connections that stay open. `fetch` takes twice the CPU time for it. */
export class NodeConnection {
  readonly #target: http.RequestOptions;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent: http.Agent;
  readonly #send: typeof http.request;
  /** Fails each request that is under way. */
  readonly #underWay = new Set<(error: Error) => void>();
  #isClosed = false;

  /** `address`: of HTTP or HTTPS. User and password inside go along as a header. */
  constructor(address: string) {
    const url = new URL(address);
    const { username, password } = url;
    url.username = "";
    url.password = "";
    const credentials = `${querystring.unescape(username)}:${querystring.unescape(password)}`;
    this.#headers = {
      "content-type": "application/json",
      "accept-encoding": "gzip, br",
      ...(credentials !== ":" && { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }),
    };
    // An agent of our own takes a proxy from the environment only if it is told to.
    const { env } = process;
    const options = { keepAlive: true, timeout: IDLE_MS, ...(env["NODE_USE_ENV_PROXY"] === "1" && { proxyEnv: env }) };
    const isSecure = url.protocol === "https:";
    this.#agent = isSecure ? new https.Agent(options) : new http.Agent(options);
    this.#send = isSecure ? https.request : http.request;
    this.#target = { ...urlToHttpOptions(url), method: "POST", agent: this.#agent };
  }

  /**
   * The answer to a body, within `timeoutMs` from first to last byte. No redirect is followed.
   * @throws NoAnswerInTime, ConnectionClosed, AnswerTooLargeError or what the connection failed with, which may name the address
   */
  post(body: string, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<HttpAnswer> {
    if (this.#isClosed) return Promise.reject(new ConnectionClosed());
    return new Promise<HttpAnswer>((resolve, reject) => {
      const length = { "content-length": String(Buffer.byteLength(body)) };
      const request = this.#send({ ...this.#target, headers: { ...this.#headers, ...length, ...headers } });
      const fail = (error: Error) => {
        end();
        reject(error);
        request.destroy();
      };
      const timer = setTimeout(() => fail(new NoAnswerInTime()), timeoutMs);
      const end = () => {
        clearTimeout(timer);
        this.#underWay.delete(fail);
      };
      this.#underWay.add(fail);
      request.on("error", fail);
      request.on("response", (response) => {
        const { statusCode: status = 0 } = response;
        const retryAfter = response.headers["retry-after"];
        const done = (text: string) => {
          end();
          resolve({ status, retryAfter, text });
          // A node that does not read the body would keep its connection for ever.
          if (!request.writableFinished) request.destroy();
        };
        readText(decoded(response), { done, fail });
      });
      request.on("upgrade", (_response, socket) => {
        socket.destroy();
        fail(new Error("the node changes to another protocol"));
      });
      request.end(body);
    });
  }

  /** Ends what is under way. */
  close(): void {
    this.#isClosed = true;
    for (const fail of [...this.#underWay]) fail(new ConnectionClosed());
    this.#agent.destroy();
  }
}

/** An answer's bytes as they were before they were compressed. */
function decoded(response: IncomingMessage): Readable {
  const decoder = DECODERS.get(response.headers["content-encoding"]?.trim().toLowerCase() ?? "");
  if (decoder === undefined) return response;
  // Faults of the answer come out of the last stream.
  return pipeline(response, decoder(), () => {}) as unknown as Readable;
}

function readText(stream: Readable, { done, fail }: { done(text: string): void; fail(error: Error): void }): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) fail(new AnswerTooLargeError(`answer above ${MAX_ANSWER_BYTES} bytes`));
    else chunks.push(chunk);
  });
  stream.on("error", fail);
  stream.on("end", () => done(new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))));
}
