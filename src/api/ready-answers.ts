import type { Written } from "./http/send.ts";

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
 * Keeps answers as long as `epoch` is the same object; undefined keeps none. An answer is kept from the second time on
 * that it is made: most are asked for once, and keeping those would cost more than it saves. At most `most` bytes are
 * kept, in two halves, of which the older is dropped as a whole when the younger is full.
 */
export function createReadyAnswers(epoch: () => object | undefined, most: number): ReadyAnswers {
  let holdsFor: object | undefined;
  /** Undefined stands for an answer that was made once. */
  let younger = new Map<string, Written | undefined>();
  let older: ReadonlyMap<string, Written | undefined> = younger;
  let bytesInYounger = 0;

  /** Forgets answers of other market states. */
  function lookAt(now: object | undefined): void {
    if (now === holdsFor) return;
    holdsFor = now;
    younger = new Map();
    older = younger;
    bytesInYounger = 0;
  }

  function keep(key: string, answer: Written | undefined, bytes: number): void {
    if (bytesInYounger + bytes > most / 2) {
      older = younger;
      younger = new Map();
      bytesInYounger = 0;
    }
    younger.set(key, answer);
    bytesInYounger += bytes;
  }

  return {
    place(key) {
      const before = epoch();
      lookAt(before);
      return {
        answer: younger.get(key) ?? older.get(key),
        put(answer) {
          const now = epoch();
          if (now === undefined || now !== before || answer.byteLength > most / 2) return;
          lookAt(now);
          if (younger.get(key) !== undefined) return;
          if (younger.has(key) || older.has(key)) keep(key, answer, answer.byteLength);
          else keep(key, undefined, key.length);
        },
      };
    },
  };
}
