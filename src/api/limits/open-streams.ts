import { SwapError } from "../../domain/swap-error.ts";

/** Streams that keys have open: none may take the room of all others. */
export interface OpenStreams {
  /**
   * Counts one more for a key, until what it answers is called.
   * @throws SwapError TOO_MANY_REQUESTS when the key has as many as it may
   */
  open(keyId: string): () => void;
}

/** At most `most` for each key. */
export function createOpenStreams(most: number): OpenStreams {
  const open = new Map<string, number>();
  return {
    open(keyId) {
      const count = open.get(keyId) ?? 0;
      if (count >= most) {
        const message = `this key has ${count} streams of prices open, as many as it may - end one of them first`;
        throw new SwapError("TOO_MANY_REQUESTS", message, { reason: "TOO_MANY_STREAMS", retryAfterSeconds: 1 });
      }
      open.set(keyId, count + 1);
      return () => {
        const left = (open.get(keyId) ?? 0) - 1;
        if (left > 0) open.set(keyId, left);
        else open.delete(keyId);
      };
    },
  };
}
