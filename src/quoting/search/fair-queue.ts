import type { FairTime } from "./fair-time.ts";

/** Waiting tasks, in a line for each account. The account that has used least is next; of equals, the longest waiting. */
export interface FairQueue<T> {
  readonly size: number;
  /** `rank`: before those of the same account that have a higher one, behind the others. */
  add(who: string, item: T, rank?: number): void;
  /** Takes the first of the account that is next among those that are `ready`. */
  next(ready?: (who: string) => boolean): { readonly who: string; readonly item: T } | undefined;
  /** Takes out all that `isOver`. */
  drop(isOver: (item: T) => boolean): readonly T[];
  /**
   * Takes out the newest that `mayGo` of who has most, where that is more than `who` would have with one more: so nobody keeps
   * the others out. Undefined where there is none.
   */
  yieldTo(who: string, mayGo: (item: T) => boolean): T | undefined;
}

export function createFairQueue<T>(time: Pick<FairTime, "of">): FairQueue<T> {
  /** The one whose turn was longest ago stands first; no line is empty. */
  const lines = new Map<string, { readonly item: T; readonly rank: number }[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(who, item, rank = Number.POSITIVE_INFINITY) {
      const line = lines.get(who) ?? [];
      line.splice(line.findLastIndex((other) => other.rank <= rank) + 1, 0, { item, rank });
      lines.set(who, line);
      size += 1;
    },
    next(ready = () => true) {
      let next: { readonly who: string; readonly at: number } | undefined;
      for (const who of lines.keys()) {
        const at = time.of(who);
        if ((next === undefined || at < next.at) && ready(who)) next = { who, at };
      }
      if (next === undefined) return undefined;
      const { who } = next;
      const line = lines.get(who) ?? [];
      const { item } = line.shift() as { readonly item: T };
      lines.delete(who);
      if (line.length > 0) lines.set(who, line);
      size -= 1;
      return { who, item };
    },
    drop(isOver) {
      const dropped: T[] = [];
      for (const [who, line] of lines) {
        dropped.push(...line.flatMap(({ item }) => (isOver(item) ? [item] : [])));
        const left = line.filter(({ item }) => !isOver(item));
        if (left.length > 0) lines.set(who, left);
        else lines.delete(who);
      }
      size -= dropped.length;
      return dropped;
    },
    yieldTo(who, mayGo) {
      const [longest = []] = [...lines.values()].sort((a, b) => b.length - a.length);
      if (longest.length <= (lines.get(who)?.length ?? 0) + 1) return undefined;
      const at = longest.findLastIndex(({ item }) => mayGo(item));
      if (at < 0) return undefined;
      size -= 1;
      return longest.splice(at, 1)[0]?.item;
    },
  };
}
