import type { Place } from "./instrument.ts";

/** A function of one layer that calls one of another. */
export interface Step {
  readonly from: Place;
  readonly to: Place;
}

/** Layers that a quote enters, step by step. */
export interface QuotePath {
  /** The layers in the order in which they are entered, one never twice in a row. */
  readonly sequence: readonly string[];
  /** Layers that are entered at all. */
  readonly layers: readonly string[];
  /** Entries of a layer that had been left before. */
  readonly returns: number;
  /** Pairs of layers that call each other, with the steps in either direction. */
  readonly backAndForth: readonly { readonly between: readonly [string, string]; readonly steps: readonly Step[] }[];
}

/** `steps`: in the order in which they are first made. */
export function pathOf(steps: readonly Step[]): QuotePath {
  const sequence = steps.map(({ to }) => to.layer).filter((layer, index, all) => layer !== all[index - 1]);
  const layers = [...new Set(sequence)];
  return { sequence, layers, returns: sequence.length - layers.length, backAndForth: pairsOf(steps) };
}

/** The steps between whole layers: those between two folders of one layer are none. */
export function betweenLayers(steps: readonly Step[]): readonly Step[] {
  const whole = ({ layer, name }: Place): Place => ({ layer: layer.split("/")[0] ?? layer, name });
  return steps
    .map(({ from, to }) => ({ from: whole(from), to: whole(to) }))
    .filter(({ from, to }) => from.layer !== to.layer);
}

function pairsOf(steps: readonly Step[]): QuotePath["backAndForth"] {
  const byPair = Map.groupBy(steps, ({ from, to }) => [from.layer, to.layer].sort().join(" "));
  return [...byPair.values()].flatMap((between) => {
    const froms = new Set(between.map(({ from }) => from.layer));
    if (froms.size < 2) return [];
    const [first, second] = [...froms] as [string, string];
    return [{ between: [first, second] as const, steps: between }];
  });
}
