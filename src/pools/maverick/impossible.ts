import { unless } from "../curve/faults.ts";
import { MAX_POWER, ONE } from "./price.ts";
import type { MaverickState } from "./state.ts";
import { MAX_MOVED } from "./step.ts";

/** Limits of the contracts (Constants.sol): ticks of a pool, its fees, and the protocol's part of these. */
const MAX_SPACING = 10_000;
const MAX_FEE = (9n * ONE) / 10n;
const MAX_PROTOCOL_PART = 250;

/** Why no pool can be in such a state, or none that is served; undefined where one can. */
export function impossibleMaverick(state: MaverickState): string | undefined {
  const { tickSpacing, activeTick, fees, protocolPart, scales, ticks } = state;
  if (tickSpacing < 1 || tickSpacing > MAX_SPACING) return "tickSpacing of no pool";
  if (fees.some((fee) => fee > MAX_FEE) || protocolPart > MAX_PROTOCOL_PART) return "fees, protocolPart: of no pool";
  if (scales.some((scale) => scale < 1n || scale > ONE || ONE % scale !== 0n)) return "scales of no token";
  if (Math.abs(activeTick) > MAX_POWER + 1) return "activeTick beyond all prices";
  return unless(
    ticks.every(({ reserveA, reserveB }) => reserveA <= MAX_MOVED && reserveB <= MAX_MOVED),
    "reserves of more than 120 bits",
  );
}
