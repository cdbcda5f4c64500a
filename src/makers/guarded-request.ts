import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { assertPublicHost, publicLookup } from "./guarded-lookup.ts";

/** Most bytes of one answer, and of one message on a socket. */
export const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 8 * 1024;

/** Headers for a maker, and whether its host may be private. */
export interface Peer {
  readonly headers: Readonly<Record<string, string>>;
  readonly allowPrivateNetwork: boolean;
  /** Most bytes of an answer that are read. Absent: MAX_ANSWER_BYTES. */
  readonly maxBytes?: number | undefined;
}

/** Statuses of whoever does not accept a key. */
export const REFUSES_KEY: ReadonlySet<number> = new Set([401, 403]);

/** Reason for the operator why an answer of that status is unusable. */
export function reasonOfStatus(status: number): string {
  if (REFUSES_KEY.has(status))
    return `it refused the key (HTTP ${status}): correct "headers" of its entry in MAKERS_FILE`;
  if (status === 429)
    return "it was asked too often (HTTP 429): raise pollEveryMs of its entry, or ask it for a higher rate";
  return `HTTP ${status}`;
}

/** A maker's answer: its status and JSON body; undefined for an answer without content. */
export interface PeerAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * One request to a maker, with `body` as JSON by POST, without by GET. No redirect is followed, no more than
 * `maxBytes` are read, nothing but JSON is taken, and `signal` bounds the whole of it, slow drips included.
 * @throws Error with the reason in a few words, which name neither the URL nor what was sent.
 */
export function askPeer(url: URL, peer: Peer, signal: AbortSignal, body?: string): Promise<PeerAnswer> {
  const { maxBytes = MAX_ANSWER_BYTES } = peer;
  return new Promise((resolve, reject) => {
    if (!peer.allowPrivateNetwork) assertPublicHost(url);
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const request = send(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...peer.headers,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
      ...(!peer.allowPrivateNetwork && { lookup: publicLookup }),
    });
    const fail = (reason: string) => {
      reject(new Error(reason));
      request.destroy();
    };
    request.on("error", (error) => reject(new Error(signal.aborted ? "no answer in time" : reasonOf(error))));
    request.on("response", (response) => {
      const status = response.statusCode ?? 0;
      if (status === 204 || REFUSES_KEY.has(status)) {
        response.resume();
        resolve({ status, body: undefined });
        return;
      }
      if (status >= 300 && status < 400) return fail(`a redirect (HTTP ${status})`);
      if (!/^application\/json\b/i.test(response.headers["content-type"] ?? "")) {
        return fail(`HTTP ${status} that is no JSON`);
      }
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.byteLength;
        if (size > maxBytes) return fail(`an answer above ${maxBytes} bytes`);
        chunks.push(chunk);
      });
      response.on("error", () => reject(new Error(signal.aborted ? "no answer in time" : "the answer broke off")));
      response.on("end", () => {
        const json = parseJson(Buffer.concat(chunks).toString("utf8"));
        if (json === undefined) return fail(`HTTP ${status} that is no JSON`);
        resolve({ status, body: json });
      });
    });
    request.end(body);
  });
}

/** Whether a text may have a whole number that a double does not hold. */
const LONG_NUMBER = /[:,[\s]-?\d{16}/;
/** Strings, and whole numbers of so many digits, in a text that is JSON. */
const STRING_OR_LONG_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** The JSON in a text; undefined when it is none. Whole numbers that a double does not hold come as their digits. */
export function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    // A reviver, which is told the digits too, takes seconds for an answer of many small numbers.
    return LONG_NUMBER.test(text) ? JSON.parse(text.replace(STRING_OR_LONG_NUMBER, asString)) : json;
  } catch {
    return undefined;
  }
}

function asString(token: string): string {
  return token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`;
}

/** An error's code, which has no URL in it as its message may. */
function reasonOf(error: Error): string {
  if ("code" in error && typeof error.code === "string") return `no connection (${error.code})`;
  return error.message === "the host is not on the public internet" ? error.message : "no connection";
}
