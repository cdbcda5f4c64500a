import { amount, natural, type StateField, type StateFields } from "../curve/state-field.ts";
import type { Level } from "../levels/state.ts";
import type { SampledLadderState } from "./state.ts";

interface SavedLevel {
  readonly takerAmount: string;
  readonly makerAmount: string;
}

const levels: StateField<readonly Level[], SavedLevel[]> = {
  write: (values) =>
    values.map(({ takerAmount, makerAmount }) => ({
      takerAmount: String(takerAmount),
      makerAmount: String(makerAmount),
    })),
  read: (saved) =>
    saved.map(({ takerAmount, makerAmount }): Level => {
      return { takerAmount: natural(takerAmount), makerAmount: natural(makerAmount) };
    }),
};

export const sampledLadderFields = {
  bids: levels,
  asks: levels,
  swapGas: amount,
} satisfies StateFields<SampledLadderState>;
