import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";

/** Limits of a call's one message. */
export interface BodyLimits {
  /** Its bytes. */
  readonly mostBytes: number;
  /** Milliseconds for all of them to arrive in. */
  readonly timeoutMs: number;
}

/**
 * All bytes of a body. `check` sees each chunk as it comes, and throws what the body is refused for.
 * @throws SwapError MALFORMED_BODY when it does not arrive in time, and what `check` throws
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  { timeoutMs }: Pick<BodyLimits, "timeoutMs">,
  check: (chunk: Uint8Array) => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const iterator = body[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = refuse("BODY_TOO_SLOW", "the body did not arrive in time - send it at once");
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  late.catch(() => {});
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), late]);
      if (next.done === true) return Buffer.concat(chunks);
      check(next.value);
      chunks.push(next.value);
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * All bytes of a body that is one message without an envelope.
 * @throws SwapError BODY_TOO_LARGE or MALFORMED_BODY
 */
export function readWhole(body: AsyncIterable<Uint8Array>, limits: BodyLimits): Promise<Uint8Array> {
  let length = 0;
  return readBody(body, limits, (chunk) => {
    length += chunk.byteLength;
    if (length > limits.mostBytes) throw bodyTooLarge(limits.mostBytes);
  });
}

export function bodyTooLarge(mostBytes: number): SwapError {
  return refuse("BODY_TOO_LARGE", `the body is larger than ${mostBytes} bytes - send the parameters only`);
}
