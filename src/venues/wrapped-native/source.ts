import { toFunctionSelector } from "viem";
import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import { refAt } from "../reading/address-as-id.ts";
import { uintAt } from "../reading/words.ts";
import type { WrapAction } from "./action.ts";

const TOTAL_SUPPLY = toFunctionSelector("totalSupply()");

/**
 * Gas of WETH9's `deposit` for a holder of none, the call with its value included, less what comes back when the executor has
 * passed the balance on; `withdraw` is a little less (test/promise/gas-of-pool-uses.test.ts).
 */
export const WRAP_GAS = 18_500n;

/** The native token and its wrapped form (WETH9 and alike): one to one, either way, without limit. */
export function wrappedNative(wrapped: Address): LiquiditySource {
  const tokens = [NATIVE_TOKEN, wrapped];
  return {
    id: "Wrapped_Native",
    kind: "wrapper",
    wrapsNative: true,
    exactOut: true,
    assurance: "exact",
    fixed: () => [refAt(wrapped, tokens)],
    stateTopics: [],

    async sync(chain, refs, at) {
      const answers = await chain.calls(
        refs.map(({ address }) => ({ to: address, data: TOTAL_SUPPLY })),
        at,
      );
      return refs.flatMap((ref, index) => {
        const answer = answers[index];
        if (answer === undefined || uintAt(answer, 0) === undefined) return [];
        return [
          { id: ref.id, source: "Wrapped_Native", tokens, curve: "fixed-rate", state: { gas: WRAP_GAS } } as const,
        ];
      });
    },

    apply: (pool) => pool,
    action: (): WrapAction => ({ action: "wrapped-native", wrapped }),
    fillData: () => ({ wrapped }),
  };
}
