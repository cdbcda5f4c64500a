import { TAX_ONE } from "../../domain/token-verdict.ts";
import { unless } from "../curve/faults.ts";
import type { ConstantProductState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleConstantProduct({ feeNum, feeDen, taxes }: ConstantProductState): string | undefined {
  const rates = (taxes ?? []).flatMap(({ buy, sell, transfer }) => [buy.ppm, sell.ppm, transfer.ppm]);
  const takesAll = rates.some((ppm) => ppm >= TAX_ONE);
  return takesAll
    ? "taxes: all or more of what is sent"
    : unless(feeNum < feeDen, "feeNum: all or more of what goes in");
}
