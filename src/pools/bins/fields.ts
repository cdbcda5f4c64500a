import { maybeTrue, natural, type StateField, type StateFields, whole } from "../curve/state-field.ts";
import type { Bin, BinsState, VolatilityFee } from "./state.ts";

interface SavedBin {
  readonly id: number;
  readonly reserveX: string;
  readonly reserveY: string;
}

type SavedFee = Omit<VolatilityFee, "timeOfLastUpdate"> & { readonly timeOfLastUpdate: string };

const bins: StateField<readonly Bin[], SavedBin[]> = {
  write: (values) =>
    values.map(({ id, reserveX, reserveY }) => ({ id, reserveX: String(reserveX), reserveY: String(reserveY) })),
  read: (saved) =>
    saved.map(({ id, reserveX, reserveY }, i): Bin => {
      const before = saved[i - 1];
      if (before !== undefined && before.id >= id) throw new RangeError(`bin ${id} is out of order`);
      return { id, reserveX: natural(reserveX), reserveY: natural(reserveY) };
    }),
};

const fee: StateField<VolatilityFee, SavedFee | undefined> = {
  write: (value) => ({ ...value, timeOfLastUpdate: String(value.timeOfLastUpdate) }),
  read(saved) {
    if (saved === undefined) throw new RangeError("there is none");
    return {
      baseFactor: saved.baseFactor,
      filterPeriod: saved.filterPeriod,
      decayPeriod: saved.decayPeriod,
      reductionFactor: saved.reductionFactor,
      variableFeeControl: saved.variableFeeControl,
      protocolShare: saved.protocolShare,
      maxVolatilityAccumulator: saved.maxVolatilityAccumulator,
      volatilityAccumulator: saved.volatilityAccumulator,
      volatilityReference: saved.volatilityReference,
      idReference: saved.idReference,
      timeOfLastUpdate: natural(saved.timeOfLastUpdate),
    };
  },
};

export const binsFields = {
  binStep: whole,
  activeId: whole,
  bins,
  fee,
  hooked: maybeTrue,
} satisfies StateFields<BinsState>;
