/** Runs jobs as they come, so many at a time. */
export type Lanes = <T>(job: () => Promise<T>) => Promise<T>;

export function createLanes(width: number): Lanes {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (job) => {
    if (running >= width) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
