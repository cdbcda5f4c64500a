import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";
import { type BodyLimits, bodyTooLarge, readBody } from "./read-body.ts";

/** Flag and length before a message of gRPC, gRPC-Web, or a stream of Connect. */
const HEAD_BYTES = 5;

const COMPRESSED = 1;

/** One message, as its envelope has it. */
export interface Envelope {
  readonly isCompressed: boolean;
  readonly message: Uint8Array;
}

/**
 * Reads a body that must be exactly one message, and no more of it than tells that it is not.
 * @throws SwapError MALFORMED_BODY or BODY_TOO_LARGE
 */
export async function readEnvelope(body: AsyncIterable<Uint8Array>, limits: BodyLimits): Promise<Envelope> {
  const head = Buffer.alloc(HEAD_BYTES);
  let length = 0;
  const bytes = await readBody(body, limits, (chunk) => {
    if (length < HEAD_BYTES) head.set(chunk.subarray(0, HEAD_BYTES - length), length);
    length += chunk.length;
    if (length < HEAD_BYTES) return;
    if (head.readUInt8() > COMPRESSED) throw broken("its flag is neither 0 nor 1");
    const expected = head.readUInt32BE(1);
    if (expected > limits.mostBytes) throw bodyTooLarge(limits.mostBytes);
    if (length > HEAD_BYTES + expected) throw wrongCount("more than one message");
  });
  if (bytes.length === 0) throw wrongCount("no message");
  if (bytes.length < HEAD_BYTES) throw broken("it ends within the message's head");
  if (bytes.length < HEAD_BYTES + head.readUInt32BE(1)) throw broken("it ends before the message does");
  return { isCompressed: head.readUInt8() === COMPRESSED, message: bytes.subarray(HEAD_BYTES) };
}

/** A message in its envelope, not compressed. */
export function enveloped(message: Uint8Array): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function broken(what: string): SwapError {
  return refuse(
    "BROKEN_ENVELOPE",
    `the body is not one whole message: ${what} - send a flag, the length in 4 bytes, and as many bytes`,
  );
}

function wrongCount(what: string): SwapError {
  return refuse("WRONG_MESSAGE_COUNT", `the body holds ${what} - send exactly one`);
}
