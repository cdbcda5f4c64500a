import type { Place } from "./instrument.ts";

/** A function of one room that calls one of another. */
export interface Step {
  readonly from: Place;
  readonly to: Place;
}

/** Rooms that a walk over steps enters. */
export interface Walk {
  /** The rooms in the order in which they are entered, one never twice in a row. */
  readonly sequence: readonly string[];
  /** Rooms that are entered at all. */
  readonly rooms: readonly string[];
  /** Entries of a room that had been left before. */
  readonly returns: number;
  /** Pairs of rooms that call each other, with the steps in either direction. */
  readonly backAndForth: readonly { readonly between: readonly [string, string]; readonly steps: readonly Step[] }[];
}

/** `steps`: in the order in which they are first made. */
export function walkOf(steps: readonly Step[]): Walk {
  const sequence = steps.map(({ to }) => to.room).filter((room, index, all) => room !== all[index - 1]);
  const rooms = [...new Set(sequence)];
  return { sequence, rooms, returns: sequence.length - rooms.length, backAndForth: pairsOf(steps) };
}

/** The steps between whole rooms: those between two chambers of one room are none. */
export function betweenRooms(steps: readonly Step[]): readonly Step[] {
  const whole = ({ room, name }: Place): Place => ({ room: room.split("/")[0] ?? room, name });
  return steps
    .map(({ from, to }) => ({ from: whole(from), to: whole(to) }))
    .filter(({ from, to }) => from.room !== to.room);
}

function pairsOf(steps: readonly Step[]): Walk["backAndForth"] {
  const byPair = Map.groupBy(steps, ({ from, to }) => [from.room, to.room].sort().join(" "));
  return [...byPair.values()].flatMap((between) => {
    const froms = new Set(between.map(({ from }) => from.room));
    if (froms.size < 2) return [];
    const [first, second] = [...froms] as [string, string];
    return [{ between: [first, second] as const, steps: between }];
  });
}
