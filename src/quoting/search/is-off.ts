import type { SwitchedOff } from "../../domain/switches.ts";
import type { Pool } from "../../pools/pool.ts";
import type { SwapRequest } from "../answer/answers.ts";
import type { TokenVerdicts } from "../ports.ts";

/** Whether the operator has switched a pool off: itself, its source, or one of its tokens. */
export function isPoolOff(pool: Pool, off: SwitchedOff): boolean {
  if (off.source.size + off.pool.size + off.token.size === 0) return false;
  return off.source.has(pool.source) || off.pool.has(pool.id) || pool.tokens.some((token) => off.token.has(token));
}

/** Whether a pool holds a token that is kept out of routes. */
export function holdsKeptOut({ tokens }: Pool, keptOut: ReturnType<TokenVerdicts["keptOut"]>): boolean {
  return keptOut.size > 0 && tokens.some((token) => keptOut.has(token));
}

/** The request's token that the operator has switched off, if any. */
export function tokenOff({ sellToken, buyToken }: SwapRequest, off: SwitchedOff): SwapRequest["sellToken"] | undefined {
  return [sellToken, buyToken].find((token) => off.token.has(token.address));
}
