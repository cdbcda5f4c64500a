import { SwapError } from "../../domain/swap-error.ts";

/**
 * All bytes of a body, which must arrive within `timeoutMs`.
 * @throws SwapError BODY_TOO_LARGE or MALFORMED_BODY
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
  timeoutMs: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const iterator = body[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new SwapError("MALFORMED_BODY", "the body did not arrive in time - send it at once", {
      reason: "BODY_TOO_SLOW",
    });
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  late.catch(() => {});
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), late]);
      if (next.done === true) return Buffer.concat(chunks);
      length += next.value.byteLength;
      if (length > mostBytes)
        throw new SwapError("BODY_TOO_LARGE", `the body is larger than ${mostBytes} bytes - send the parameters only`);
      chunks.push(next.value);
    }
  } finally {
    clearTimeout(timer);
  }
}
