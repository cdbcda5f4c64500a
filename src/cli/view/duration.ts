import { UsageError } from "../command.ts";

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a span like 30d, 12h, 90m or 10s. @throws UsageError */
export function durationOf(option: string, text: string): number {
  const match = /^(\d{1,5})([smhd])$/.exec(text);
  if (match === null)
    throw new UsageError(`--${option}: ${text} is no span of time: give one like 30d, 12h, 90m or 10s`);
  return Number(match[1]) * UNITS_MS[match[2]!]!;
}

/** Whether there is such a day: Date.parse takes the 31st of February for one in March. */
function isDay(text: string): boolean {
  const day = Date.parse(text);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(text);
}

/** Unix milliseconds of a moment: a date or timestamp (UTC where it says nothing else), or a span from now. @throws UsageError */
export function momentOf(option: string, text: string, now: number): number {
  if (/^\d+[smhd]$/.test(text)) return now + durationOf(option, text);
  const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;
  const zoned = /[Zz]|T.*[+-]/.test(text) || !text.includes("T") ? text : `${text}Z`;
  const moment = form.test(text) && isDay(text.slice(0, 10)) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(moment)) {
    throw new UsageError(`--${option}: ${text} is no moment: give 2027-01-31 or 2027-01-31T12:00Z, or a span like 30d`);
  }
  return moment;
}
