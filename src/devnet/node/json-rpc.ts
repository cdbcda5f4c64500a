import { Agent, request } from "node:http";

/** One call of a JSON-RPC batch. */
interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** JSON-RPC over HTTP, for the node's own methods that viem has no name for, and for large batches. */
export interface JsonRpc {
  /** @throws RpcError when the node answers with an error. */
  call<Result>(method: string, params?: readonly unknown[]): Promise<Result>;
  /** All calls in one request, answers in the order of the calls. @throws RpcError for the first call that failed. */
  batch<Result>(calls: readonly RpcCall[]): Promise<readonly Result[]>;
}

/** Error that the node answered instead of a result. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, code: number, message: string, data: unknown) {
    super(`${method}: ${message} (${code})`);
    this.code = code;
    this.data = data;
  }
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const TIMEOUT_MS = 60_000;

export function createJsonRpc(url: string): JsonRpc {
  const post = poster(url);
  const batch = async <Result>(calls: readonly RpcCall[]): Promise<readonly Result[]> => {
    if (calls.length === 0) return [];
    const answer = await post(JSON.stringify(calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call }))));
    const answers = new Map((JSON.parse(answer) as readonly Answer[]).map((each) => [each.id, each]));
    return calls.map(({ method }, id) => {
      const answer = answers.get(id);
      if (answer?.error) throw new RpcError(method, answer.error.code, answer.error.message, answer.error.data);
      if (answer === undefined) throw new Error(`${method}: the node's answer is missing`);
      return answer.result as Result;
    });
  };
  return {
    batch,
    call: async <Result>(method: string, params: readonly unknown[] = []) => {
      const [result] = await batch<Result>([{ method, params }]);
      return result as Result;
    },
  };
}

/**
 * Posts JSON and resolves to the text of the answer, over Node's own connections, which stay open: a call over `fetch` takes
 * twice the processor time. @throws Error without a connection, or when nothing comes for TIMEOUT_MS
 */
function poster(url: string): (body: string) => Promise<string> {
  const agent = new Agent({ keepAlive: true, timeout: TIMEOUT_MS });
  const placeOf = ({ hostname, port, pathname, search }: URL) => ({
    ...{ agent, hostname, port, path: `${pathname}${search}`, method: "POST" },
  });
  let place: ReturnType<typeof placeOf> | undefined;
  return (body) =>
    new Promise((resolve, reject) => {
      place ??= placeOf(new URL(url));
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const sent = request({ ...place, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => resolve(text));
        response.on("error", reject);
      });
      sent.on("timeout", () => sent.destroy(new Error(`${url} said nothing for ${TIMEOUT_MS} ms`)));
      sent.on("error", reject);
      sent.end(body);
    });
}
