import { unless } from "../curve/faults.ts";
import type { ConstantProductState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleConstantProduct({ feeNum, feeDen }: ConstantProductState): string | undefined {
  return unless(feeNum < feeDen, "feeNum: all or more of what goes in");
}
