/** What waits, in a line for each of those it is for. Each has its turn before one has a second. */
export interface FairQueue<T> {
  readonly size: number;
  add(who: string, item: T): void;
  /** Takes the first of who is next. */
  next(): T | undefined;
  /** Takes out all that `isOver`. */
  drop(isOver: (item: T) => boolean): readonly T[];
  /**
   * Takes out the newest that `mayGo` of who has most, where that is more than `who` would have with one more: so nobody keeps
   * the others out. Undefined where there is none.
   */
  yieldTo(who: string, mayGo: (item: T) => boolean): T | undefined;
}

export function createFairQueue<T>(): FairQueue<T> {
  /** In the order of their turns; no line is empty. */
  const lines = new Map<string, T[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(who, item) {
      const line = lines.get(who);
      if (line === undefined) lines.set(who, [item]);
      else line.push(item);
      size += 1;
    },
    next() {
      const [first] = lines;
      if (first === undefined) return undefined;
      const [who, line] = first;
      const item = line.shift();
      lines.delete(who);
      if (line.length > 0) lines.set(who, line);
      size -= 1;
      return item;
    },
    drop(isOver) {
      const dropped: T[] = [];
      for (const [who, line] of lines) {
        dropped.push(...line.filter(isOver));
        const left = line.filter((item) => !isOver(item));
        if (left.length > 0) lines.set(who, left);
        else lines.delete(who);
      }
      size -= dropped.length;
      return dropped;
    },
    yieldTo(who, mayGo) {
      const [longest = []] = [...lines.values()].sort((a, b) => b.length - a.length);
      if (longest.length <= (lines.get(who)?.length ?? 0) + 1) return undefined;
      const at = longest.findLastIndex(mayGo);
      if (at < 0) return undefined;
      size -= 1;
      return longest.splice(at, 1)[0];
    },
  };
}
