import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, pairOf } from "../../fixtures/routing/pools.ts";
import { termsFor } from "../../fixtures/settlement/swap.ts";
import { isAddressText } from "../../src/domain/address.ts";
import { type ExactInRoute, type Fill, SHARE_ONE } from "../../src/domain/route.ts";
import type { ActionCodec, ActionEncoder, ActionVerifier } from "../../src/settlement/action-codec.ts";
import { createSettlement } from "../../src/settlement/settlement.ts";
import type { AnyAction } from "../../src/venues/index.ts";
import { randomRoute, WRAPPED } from "./random/random-routes.ts";

const CODES = 64;
const DETAILS = 2 ** 24;
const SAMPLE = { seed: 71, numRuns: 1_500 };
/** Fewest of each action among the random fills. */
const MIN_SEEN = 10;

interface Traded {
  readonly fill: Fill;
  readonly action: AnyAction;
}

/** Every fill of many random routes, with how it is traded. */
export function tradedFills(): readonly Traded[] {
  return fc
    .sample(randomRoute, SAMPLE)
    .flatMap(({ route, action }) => route.fills.map((fill) => ({ fill, action: action(fill) })));
}

/** Holds every ActionEncoder, with the ActionVerifier that reads it back, to the same. */
export function describeActionCodec({ encoder, verifier }: ActionCodec, fills: readonly Traded[]): void {
  const own = fills.filter(({ action }) => encoder.actions.includes(action.action));
  const settlement = createSettlement({ codecs: [{ encoder, verifier }], wrappedNative: WRAPPED, deployed: true });

  describe(`the actions ${encoder.actions.join(", ")}`, () => {
    it("have one number and one delivery, whoever is asked", () => {
      expect(Number.isInteger(encoder.code) && encoder.code >= 0 && encoder.code < CODES).toBe(true);
      const ofBoth = ({ code, delivery }: ActionEncoder | ActionVerifier) => ({ code, delivery });
      expect(ofBoth(verifier)).toEqual(ofBoth(encoder));
    });

    it("are written as a pool, three bytes and whole bytes after them, the same each time", () => {
      for (const name of encoder.actions)
        expect(
          own.filter(({ action }) => action.action === name).length,
          `${name}: draw it in anyVenue of random/random-routes.ts`,
        ).toBeGreaterThan(MIN_SEEN);
      for (const { fill, action } of own) {
        const encoded = encoder.encode(action, fill);
        expect(isAddressText(encoded.pool)).toBe(true);
        expect(Number.isInteger(encoded.detail) && encoded.detail >= 0 && encoded.detail < DETAILS).toBe(true);
        expect(encoded.more ?? "0x").toMatch(/^0x([0-9a-f]{2})*$/i);
        expect(encoder.encode(action, fill)).toEqual(encoded);
      }
    });

    it("are read back as what they were", () => {
      for (const { fill, action } of own) {
        const detail = BigInt(encoder.encode(action, fill).detail);
        expect(verifier.admits(detail)).toBe(true);
        expect(verifier.actionBy(detail)).toBe(action.action);
        const route = alone(fill);
        const transaction = settlement.encode(route, termsFor(route), () => action);
        expect(() => settlement.verify(transaction, route, termsFor(route), () => action)).not.toThrow();
      }
    });

    it("say nothing of how large other venues' fills are", () => {
      const stranger = { ...pairOf(1, [addressOf(1), addressOf(2)], [1_000n, 1_000n]), source: "Another" };
      expect(encoder.usualMoreBytes?.(stranger) ?? 0).toBe(0);
    });
  });
}

/** The route that makes one fill with all of its token. */
function alone(fill: Fill): ExactInRoute {
  const { sellToken, buyToken, sellAmount, buyAmount } = fill;
  const amounts = { sellToken, buyToken, sellAmount, buyAmount };
  return { kind: "exactIn", ...amounts, fills: [{ ...fill, share: SHARE_ONE }] };
}
