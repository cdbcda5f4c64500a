/** A slot that earns more than its gas at some prices. */
export interface Earner {
  readonly slot: number;
  readonly profit: number;
}

/** Earnings of each of these pools, in bought units. */
export function profitsOf(earners: readonly Earner[]): Float64Array {
  const profits = new Float64Array(earners.length);
  for (let i = 0; i < profits.length; i++) profits[i] = (earners[i] as Earner).profit;
  return profits;
}
