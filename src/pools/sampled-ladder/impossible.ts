import { MAX_UINT128 } from "../../math/full-math.ts";
import { unless } from "../curve/faults.ts";
import { capacityOf } from "../levels/ladder.ts";
import type { Level } from "../levels/state.ts";
import type { SampledLadderState } from "./state.ts";

/** Why no samples make such levels; undefined where some do. */
export function impossibleSampledLadder({ bids, asks, swapGas }: SampledLadderState): string | undefined {
  return faultOf("bids", bids) ?? faultOf("asks", asks) ?? unless(swapGas > 0n, "swapGas: zero");
}

function faultOf(side: string, levels: readonly Level[]): string | undefined {
  const { takerAmount, makerAmount } = capacityOf(levels);
  if (takerAmount > MAX_UINT128 || makerAmount > MAX_UINT128) return `${side}: more than 2^128`;
  if (levels.some((level) => level.takerAmount <= 0n || level.makerAmount <= 0n)) return `${side}: an empty level`;
  const isBetter = (level: Level, before: Level | undefined) =>
    before !== undefined && level.makerAmount * before.takerAmount > before.makerAmount * level.takerAmount;
  return unless(
    !levels.some((level, i) => isBetter(level, levels[i - 1])),
    `${side}: a level better than the one before`,
  );
}
