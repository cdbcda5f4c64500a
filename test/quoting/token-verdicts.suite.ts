import { describe, expect, it } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import type { TokenVerdicts } from "../../src/quoting/ports.ts";

/** Verdicts, and tokens that they are of. */
export interface VerdictsUnderTest {
  readonly verdicts: TokenVerdicts;
  /** Move exactly, and were never tested. */
  readonly plain: readonly [Address, Address];
  /** Cannot be looked at, whatever is tried; none where nothing is ever tried. */
  readonly broken?: Address;
  /** Does not move exactly; none where every token is taken for plain. */
  readonly inexact?: Address;
}

/** Holds every implementation of TokenVerdicts to the same. */
export function describeTokenVerdicts(name: string, create: () => VerdictsUnderTest): void {
  describe(`verdicts ${name}`, () => {
    it("keep no plain token out, and test each once", async () => {
      const { verdicts, plain } = create();
      await verdicts.test(plain);
      expect(verdicts.test(plain)).toBeUndefined();
      expect(verdicts.test([])).toBeUndefined();
      expect([...verdicts.keptOut()]).toEqual([]);
      for (const token of plain) expect(verdicts.isUntestable(token)).toBe(false);
    });

    it("let a plain token stay in when a route over it fails", async () => {
      const { verdicts, plain } = create();
      await verdicts.test(plain);
      expect(await verdicts.testAgain([plain[0]], [plain[1]])).toBe(false);
      expect([...verdicts.keptOut()]).toEqual([]);
    });

    it("never fail over a token that cannot be looked at: it is untestable, and stays in", async () => {
      const { verdicts, plain, broken = plain[0] } = create();
      await verdicts.test([broken]);
      expect(await verdicts.testAgain([broken], [])).toBe(false);
      expect([...verdicts.keptOut()]).toEqual([]);
      expect(verdicts.isUntestable(broken)).toBe(broken !== plain[0]);
    });

    it("show another object whenever what is kept out changes, and else the same", async () => {
      const { verdicts, plain, inexact } = create();
      const before = verdicts.keptOut();
      await verdicts.test(plain);
      expect(verdicts.keptOut()).toBe(before);
      if (inexact === undefined) return;
      await verdicts.test([inexact]);
      expect(verdicts.keptOut()).not.toBe(before);
      expect([...verdicts.keptOut()]).toEqual([[inexact, expect.stringMatching(/\w/)]]);
      expect(before.size).toBe(0);
      expect(await verdicts.testAgain([inexact], [])).toBe(true);
    });
  });
}
