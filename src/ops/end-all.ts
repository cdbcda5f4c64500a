import { messageOf } from "../domain/message-of.ts";

/**
 * Ends parts one after the other, all of them, whichever fail to.
 * @throws AggregateError when some did, with what each of these failed with.
 */
export async function endAll(parts: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of parts) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 0) return;
  const reasons = failures.map(messageOf);
  throw new AggregateError(failures, `not all parts ended: ${reasons.join("; ")}`);
}
