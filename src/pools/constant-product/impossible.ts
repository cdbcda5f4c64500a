import { unless } from "../faults.ts";
import type { ConstantProductState } from "./state.ts";

/** As `impossible` of a curve. */
export function impossibleConstantProduct({ feeNum, feeDen }: ConstantProductState): string | undefined {
  return unless(feeNum < feeDen, "feeNum: all or more of what goes in");
}
