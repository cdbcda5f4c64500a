import type { Provider, RequestOptions } from "./provider.ts";
import { MalformedAnswerError } from "./provider-errors.ts";

const ATTEMPTS = 3;

/**
 * A node's answer as `parse` reads it. One that is not as it has to be is asked for again, so that much work does not fail
 * for one broken answer; after the last attempt (`limits.attempts`, 3 by default) it counts.
 * @throws MalformedAnswerError of `parse`, and what the node failed with.
 */
export async function parsedAnswer<T>(
  provider: Pick<Provider, "request">,
  method: string,
  params: readonly unknown[],
  parse: (answer: unknown) => T | Promise<T>,
  limits: RequestOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const answer = await provider.request(method, params, limits);
    try {
      return await parse(answer);
    } catch (error) {
      if (!(error instanceof MalformedAnswerError) || attempt >= (limits.attempts ?? ATTEMPTS)) throw error;
    }
  }
}
