/** For lines that would fill a log: whether the first of its kind, or the first of it in `everyMs`. */
export function createThrottle(everyMs: number, elapsed: () => number): (kind: string) => boolean {
  const toldAt = new Map<string, number>();
  return (kind) => {
    const now = elapsed();
    for (const [told, at] of toldAt) if (now - at >= everyMs) toldAt.delete(told);
    if (toldAt.has(kind)) return false;
    toldAt.set(kind, now);
    return true;
  };
}
