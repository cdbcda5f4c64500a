import type { Answers } from "./answers.ts";
import { keyInHeader } from "./api-key.ts";
import { toBatchMessage, tokensMessage, toLadderMessage, toMessage, toPriceMessage } from "./request.ts";
import { readEvents } from "./server-sent-events.ts";
import { type FailureKind, kindInLink, SwapCallError, secondsIn } from "./swap-call-error.ts";
import type { CallOptions, SwapClient, WatchUpdate } from "./swap-client.ts";

export interface RestOptions {
  /** Address of the service, such as `https://swap.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** In place of the global one. */
  readonly fetch?: typeof fetch | undefined;
}

/** Refusal of a call by the service, or by a proxy before it. */
interface Refusal {
  readonly reason?: string;
  readonly description?: string;
  readonly validationErrors?: readonly {
    readonly field: string;
    readonly reason: string;
    readonly description: string;
  }[];
  readonly requestId?: string;
  readonly docs?: string;
}

/** Kinds of answers without our body, as proxies send them, by status. */
const KIND_OF_STATUS: Readonly<Record<number, FailureKind>> = {
  400: "INVALID_PARAMETERS",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "TOO_MANY_REQUESTS",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** Bytes of one answer that are read, as the service sends none of that length: a list of 32 prices has some hundred thousand. */
const MAX_BYTES = 16 * 1_024 * 1_024;

/** The members of an entry that say how it went. */
type Entry = Readonly<Record<string, unknown>>;

/**
 * The service over REST, with fetch alone: nothing of protobuf is loaded. `timeoutMs` of a call is kept by the client.
 * @throws RangeError for an `apiKey` that no header can carry
 */
export function createRestClient(options: RestOptions): SwapClient<Answers> {
  const rest = new Rest(options);
  const get = <Answer>(path: string, given?: CallOptions, fields: object = {}) =>
    rest.read<Answer>(`${path}${queryOf(fields)}`, undefined, given);
  return {
    price: (request, given) =>
      rest.call(given, () => {
        const fields = toPriceMessage(request);
        return "overrides" in fields ? rest.read("price", fields, given) : get("price", given, fields);
      }),
    ladder: (request, given) =>
      rest.call(given, async () => {
        const answer = await get<Entry & { entries?: readonly Entry[] }>("ladder", given, toLadderMessage(request));
        return { ...answer, entries: (answer.entries ?? []).map(withResult) } as never;
      }),
    prices: (requests, given) =>
      rest.call(given, async () => {
        const batch = toBatchMessage(requests, given?.blockNumber);
        const answer = await rest.read<Entry & { results?: readonly Entry[] }>("prices", batch, given);
        return { ...answer, results: (answer.results ?? []).map(withResult) } as never;
      }),
    quote: (request, given) => rest.call(given, () => get("quote", given, toMessage(request))),
    sources: (given) => rest.call(given, () => get("sources", given)),
    tokens: (request, given) => rest.call(given, () => get("tokens", given, tokensMessage(request ?? {}))),
    chain: (given) => rest.call(given, () => get("chain", given)),
    watch: (request, given) => rest.watch(request, given),
  };
}

class Rest {
  readonly #base: string;
  readonly #apiKey: string;
  readonly #fetch: typeof fetch;

  constructor({ baseUrl, apiKey, fetch: own }: RestOptions) {
    this.#base = `${baseUrl.replace(/\/+$/, "")}/swap/v1/`;
    this.#apiKey = keyInHeader(apiKey);
    // The browser's own wants to be called on nothing but the window.
    this.#fetch = own ?? ((...args) => fetch(...args));
  }

  /** Converts any failure to one kind of error. */
  async call<Answer>(given: CallOptions | undefined, work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (thrown) {
      throw failureOf(thrown, given?.signal);
    }
  }

  async read<Answer>(path: string, body: object | undefined, given?: CallOptions): Promise<Answer> {
    return parse(await boundedText(await this.#send(path, body, given)));
  }

  async *watch(request: Parameters<SwapClient["watch"]>[0], given?: CallOptions) {
    try {
      const response = await this.#send(`price/stream${queryOf(toMessage(request))}`, undefined, given);
      for await (const { type, data } of readEvents(response.body)) {
        if (type === "error") throw refusalOf(response, parse(data));
        const update = updateOf(parse(data));
        if (update !== undefined) yield update;
      }
      // The service ends a stream by an error event.
      throw new SwapCallError({ message: "the stream broke off", kind: "NOT_REACHED" });
    } catch (thrown) {
      throw failureOf(thrown, given?.signal);
    }
  }

  async #send(path: string, body: object | undefined, { signal, timeoutMs, headers }: CallOptions = {}) {
    const ends = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)];
    const response = await this.#fetch(this.#base + path, {
      headers: {
        ...headers,
        "api-key": this.#apiKey,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      // A redirect would take the key along to whatever host it names.
      redirect: "error",
      signal: AbortSignal.any(ends.filter((it) => it !== undefined)),
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw refusalOf(response, await readRefusal(response));
  }
}

/**
 * JSON without what is null in it: REST writes so what is absent.
 * @throws SwapCallError INTERNAL for a text that the service does not send: the page of a portal, say
 */
function parse<Answer>(text: string): Answer {
  try {
    const read: unknown = JSON.parse(text, (_, value) => value ?? undefined);
    if (typeof read === "object" && !Array.isArray(read)) return read as Answer;
  } catch {}
  throw new SwapCallError({ message: `the answer is no JSON object: ${text.slice(0, 80)}`, kind: "INTERNAL" });
}

/**
 * The text of an answer. No more of it is read than a service of ours would send: the rest stays at whoever sends it.
 * @throws SwapCallError INTERNAL for a longer one
 */
async function boundedText({ body }: Response): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.length;
      if (bytes > MAX_BYTES) throw tooLong();
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function tooLong(): SwapCallError {
  const message = `the answer is longer than ${MAX_BYTES} bytes, which no answer of the service is: check baseUrl`;
  return new SwapCallError({ message, kind: "INTERNAL" });
}

/** Body of a refusal; empty where a proxy sent another one. */
async function readRefusal(response: Response): Promise<Refusal> {
  try {
    return parse(await boundedText(response));
  } catch {
    return {};
  }
}

function queryOf(fields: object): string {
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)] as const);
  const query = String(new URLSearchParams(Object.fromEntries(texts)));
  return query === "" ? "" : `?${query}`;
}

/** An entry of a list with its price or refusal as one member, as it is over other transports. */
function withResult({ price, refusal, ...entry }: Entry): object {
  const result = price === undefined ? { case: "refusal", value: refusal } : { case: "price", value: price };
  return { ...entry, result };
}

/** A message of a kind that this client does not know yet says nothing to it. */
function updateOf(message: Entry): WatchUpdate<Answers["price"]> | undefined {
  const [[kind, value] = []] = Object.entries(message);
  if (kind === "price") return { kind, price: value as Answers["price"] };
  if (kind !== "status" && kind !== "heartbeat") return undefined;
  const { violations = [], ...told } = value as { violations?: Refusal["validationErrors"] };
  return { kind, ...told, ...(kind === "status" && { problems: problemsOf(violations) }) } as never;
}

function refusalOf({ status, headers }: Response, refusal: Refusal): SwapCallError {
  const kind = kindInLink(refusal.docs) ?? KIND_OF_STATUS[status] ?? "INTERNAL";
  return new SwapCallError({
    message: refusal.description ?? `the answer is HTTP ${status}`,
    kind,
    reason: refusal.reason,
    problems: problemsOf(refusal.validationErrors),
    retryAfterSeconds: secondsIn(headers.get("retry-after")),
    requestId: refusal.requestId ?? headers.get("x-request-id") ?? undefined,
  });
}

function problemsOf(violations: Refusal["validationErrors"]) {
  return (Array.isArray(violations) ? violations : []).map(({ field, reason, description }) => ({
    field,
    reason,
    description,
  }));
}

/** fetch throws the reason of its signal, or a TypeError where the service was not reached. */
function failureOf(thrown: unknown, signal: AbortSignal | undefined): SwapCallError {
  if (thrown instanceof SwapCallError) return thrown;
  const isTimeout = thrown instanceof Error && thrown.name === "TimeoutError";
  const kind = signal?.aborted === true ? "CANCELED" : isTimeout ? "DEADLINE_EXCEEDED" : "NOT_REACHED";
  return new SwapCallError({ message: thrown instanceof Error ? thrown.message : String(thrown), kind, cause: thrown });
}
