import {
  amount,
  maybeTrue,
  natural,
  type StateField,
  type StateFields,
  twoAmounts,
  whole,
} from "../curve/state-field.ts";
import type { MaverickState, MaverickTick } from "./state.ts";

interface SavedTick {
  readonly index: number;
  readonly reserveA: string;
  readonly reserveB: string;
}

const ticks: StateField<readonly MaverickTick[], SavedTick[]> = {
  write: (values) =>
    values.map(({ index, reserveA, reserveB }) => ({
      ...{ index, reserveA: amount.write(reserveA), reserveB: amount.write(reserveB) },
    })),
  read: (saved) =>
    saved.map(({ index, reserveA, reserveB }, i): MaverickTick => {
      const before = saved[i - 1];
      if (before !== undefined && before.index >= index) throw new RangeError(`tick ${index} is out of order`);
      return { index, reserveA: natural(reserveA), reserveB: natural(reserveB) };
    }),
};

export const maverickFields = {
  tickSpacing: whole,
  activeTick: whole,
  fees: twoAmounts,
  protocolPart: whole,
  scales: twoAmounts,
  ticks,
  movable: maybeTrue,
  spent: maybeTrue,
} satisfies StateFields<MaverickState>;
