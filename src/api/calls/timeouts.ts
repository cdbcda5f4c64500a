/** The longest time that a timer can be set for, about 24 days. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Timeouts as gRPC and Connect write them: digits, and gRPC's unit. */
export const TIMEOUTS: readonly (readonly [header: string, form: RegExp, example: string])[] = [
  ["grpc-timeout", /^(\d{1,8})([HMSmun])$/, "2500m for 2.5 seconds"],
  ["connect-timeout-ms", /^(\d{1,10})$/, "2500 for 2.5 seconds"],
];

const UNIT_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** The longest timeout in gRPC's 8 digits. */
const LONGEST_GRPC = `${Math.floor(LONGEST_TIMER_MS / 1_000)}S`;

/** Shortens timeouts that no timer can be set for, which Connect would take for ones that are over at once. */
export function shortenTimeouts(header: Headers): void {
  for (const [name, form] of TIMEOUTS) {
    const [, digits, unit = ""] = form.exec(header.get(name) ?? "") ?? [];
    if (digits === undefined || Number(digits) * (UNIT_MS[unit] ?? 1) <= LONGEST_TIMER_MS) continue;
    header.set(name, unit === "" ? String(LONGEST_TIMER_MS) : LONGEST_GRPC);
  }
}
