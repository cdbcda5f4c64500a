import type { Direction } from "./pool-math.ts";

/** Whether `direction` is one of the two of a pool with two tokens. */
export function isOfTwo({ sell, buy }: Direction): boolean {
  return (sell === 0 && buy === 1) || (sell === 1 && buy === 0);
}
