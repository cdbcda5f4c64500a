import type { FlatGraph } from "./flat-graph.ts";

/** Gain at which a pool stands too far off to have a say. */
const FAR_OFF = 1.01;
/** Widths are told apart by their powers of two, from LOGS to -LOGS. */
const LOGS = 512;

/** Slots that have a say, and where each band of them ends. */
export interface WidthOrder {
  readonly slots: Int32Array;
  readonly ends: readonly number[];
}

/**
 * Orders slots by the powers of two of their widths at the prices given, the widest first, and divides them into bands:
 * each is about as many as all before it. Those of a power of two stay together.
 */
export function createWidthOrder(flat: FlatGraph): (prices: Float64Array, bands: number) => WidthOrder {
  const { start, live, through, to, spot, width } = flat;
  const classes = new Int16Array(spot.length);
  const slots = new Int32Array(spot.length);
  /** Where the slots of each class begin. */
  const begins = new Int32Array(2 * LOGS + 2);
  return (prices, bands) => {
    begins.fill(0);
    for (let i = 0; i < through.length; i++) {
      const node = through[i] as number;
      const price = prices[node] as number;
      for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
        const value = (spot[slot] as number) * (prices[to[slot] as number] as number);
        const log = Math.floor(Math.log2((width[slot] as number) * price));
        const own = value > 0 && value <= FAR_OFF * price ? LOGS - Math.max(-LOGS, Math.min(LOGS, log)) : -1;
        classes[slot] = own;
        if (own >= 0) begins[own + 1]! += 1;
      }
    }
    for (let own = 1; own < begins.length; own++) begins[own]! += begins[own - 1] as number;
    const count = begins[begins.length - 1] as number;
    const ends = Array.from({ length: bands }, (_, band) => {
      const most = count >> (bands - 1 - band);
      return begins.find((begin) => begin >= most) as number;
    });
    for (let i = 0; i < through.length; i++) {
      const node = through[i] as number;
      for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
        const own = classes[slot] as number;
        if (own < 0) continue;
        slots[begins[own] as number] = slot;
        begins[own]! += 1;
      }
    }
    return { slots, ends };
  };
}
