/**
 * Use of a shared resource by accounts, as start-time fair queueing counts it (Goyal, Vin and Cheng, 1996):
 * who stands lowest comes first.
 */
export interface FairTime {
  /** Position of an account. One that asks for the first time, or again after a pause, stands where the last turn was. */
  of(account: string): number;
  /** The account has used so much. */
  charge(account: string, amount: number): void;
  /** The account has a turn. */
  served(account: string): void;
}

export function createFairTime(): FairTime {
  /** Only of accounts that stand above `now`: the others stand there. */
  const used = new Map<string, number>();
  let now = 0;
  const of = (account: string) => Math.max(used.get(account) ?? 0, now);
  return {
    of,
    charge(account, amount) {
      used.set(account, of(account) + amount);
    },
    served(account) {
      now = of(account);
      for (const [other, at] of used) if (at <= now) used.delete(other);
    },
  };
}
