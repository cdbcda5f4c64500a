/** Allocator of a computation's arrays. Their contents are undefined. */
export interface Memory {
  floats(count: number): Float64Array;
  ints(count: number): Int32Array;
}

/** Arrays of their own. */
export const FRESH: Memory = {
  floats: (count) => new Float64Array(count),
  ints: (count) => new Int32Array(count),
};

/** Memory for one computation after the other: making an array costs more than a small flow has to work out. */
export interface Scratch extends Memory {
  /** Releases all arrays taken so far: they may be overwritten from now on. */
  begin(): void;
}

const FIRST_SIZE = 4096;

export function createScratch(): Scratch {
  let floats = new Float64Array(FIRST_SIZE);
  let ints = new Int32Array(FIRST_SIZE);
  let [floatsTaken, intsTaken] = [0, 0];
  return {
    begin() {
      floatsTaken = 0;
      intsTaken = 0;
    },
    floats(count) {
      if (floatsTaken + count > floats.length) {
        floats = new Float64Array(2 * (floats.length + count));
        floatsTaken = 0;
      }
      floatsTaken += count;
      return floats.subarray(floatsTaken - count, floatsTaken);
    },
    ints(count) {
      if (intsTaken + count > ints.length) {
        ints = new Int32Array(2 * (ints.length + count));
        intsTaken = 0;
      }
      intsTaken += count;
      return ints.subarray(intsTaken - count, intsTaken);
    },
  };
}
