import type { Written } from "./send.ts";

/** Answers as they were written, for requests that are the same to the letter. */
export interface ReadyAnswers {
  /** To be called before an answer is made: `put` keeps it only if the state is still the one of now. */
  place(key: string): {
    /** The answer that was made before. */
    readonly answer: Written | undefined;
    put(answer: Written): void;
  };
}

/**
 * Keeps answers as long as `epoch` is the same object; undefined keeps none. At most `most` bytes are kept, the oldest
 * answers are dropped first.
 */
export function createReadyAnswers(epoch: () => object | undefined, most: number): ReadyAnswers {
  let holdsFor: object | undefined;
  let bytesKept = 0;
  const kept = new Map<string, Written>();

  /** What is of another state is forgotten. */
  function lookAt(now: object | undefined): void {
    if (now === holdsFor) return;
    holdsFor = now;
    kept.clear();
    bytesKept = 0;
  }

  return {
    place(key) {
      const before = epoch();
      lookAt(before);
      return {
        answer: kept.get(key),
        put(answer) {
          const now = epoch();
          if (now === undefined || now !== before || answer.byteLength > most) return;
          lookAt(now);
          if (kept.has(key)) return;
          kept.set(key, answer);
          bytesKept += answer.byteLength;
          for (const [oldest, held] of kept) {
            if (bytesKept <= most) break;
            kept.delete(oldest);
            bytesKept -= held.byteLength;
          }
        },
      };
    },
  };
}
