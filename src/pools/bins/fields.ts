import { maybeKey } from "../curve/pool-key.ts";
import { maybeTrue, natural, type StateField, type StateFields, twoOf, whole } from "../curve/state-field.ts";
import { isFlat } from "./fee.ts";
import type { Bin, BinsState, VolatilityFee } from "./state.ts";

interface SavedBin {
  readonly id: number;
  readonly reserveX: string;
  readonly reserveY: string;
}

type SavedFee = Omit<VolatilityFee, "timeOfLastUpdate"> & {
  readonly timeOfLastUpdate: string;
  readonly flat?: { readonly lpPpm: number; readonly protocolPpm: number[] } | undefined;
};

/** Stands beside a flat fee. */
const NO_VOLATILITY: SavedFee = {
  ...{ baseFactor: 0, filterPeriod: 0, decayPeriod: 0, reductionFactor: 0, variableFeeControl: 0, protocolShare: 0 },
  ...{ maxVolatilityAccumulator: 0, volatilityAccumulator: 0, volatilityReference: 0, idReference: 0 },
  timeOfLastUpdate: "0",
};

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

const fee: StateField<BinsState["fee"], SavedFee | undefined> = {
  write: (value) =>
    isFlat(value)
      ? { ...NO_VOLATILITY, flat: { lpPpm: value.lpPpm, protocolPpm: [...value.protocolPpm] } }
      : { ...value, timeOfLastUpdate: String(value.timeOfLastUpdate) },
  read(saved) {
    if (saved === undefined) throw new RangeError("there is none");
    if (saved.flat !== undefined) return { lpPpm: saved.flat.lpPpm, protocolPpm: twoOf(saved.flat.protocolPpm) };
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
  key: maybeKey,
} satisfies StateFields<BinsState>;
