import { toFunctionSelector } from "viem";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { type Direction, isRejection } from "../../pools/pool-math.ts";
import { wooMath } from "../../pools/woofi/math.ts";
import type { WooState } from "../../pools/woofi/state.ts";
import { PROBE_PART } from "../reading/matching-quotes.ts";
import { uintAt, wordOf } from "../reading/words.ts";
import type { WoofiRecord } from "./record.ts";

const TRY_QUERY = toFunctionSelector("tryQuery(address,address,uint256)");
/** Versions of the pool, by the spreads between two base tokens. */
const VERSIONS = ["halved", "own"] as const;

/**
 * The state with the spread between base tokens that the pool's version has: the first under which the pool pays what our maths
 * does, from each token to the next and from each to the quote token. Undefined where it does so under neither. Small spreads may
 * tell no version from the other.
 */
export async function withKnownSpread(
  { pool }: WoofiRecord,
  { tokens }: PoolRef,
  { chain, at }: Pick<Reading, "chain" | "at">,
  state: WooState,
): Promise<WooState | undefined> {
  const priced = state.bases.flatMap(({ price }, i) => (price > 0n ? [i + 1] : []));
  const directions = priced.flatMap((token, i): Direction[] => [
    { sell: 0, buy: token },
    { sell: token, buy: priced[(i + 1) % priced.length] as number },
    { sell: token, buy: 0 },
  ]);
  const probes = directions
    .filter(({ sell, buy }) => sell !== buy)
    .map((direction) => ({
      direction,
      amount: wooMath.limits(state, direction, at.timestamp).maxSell / PROBE_PART,
    }))
    .filter(({ amount }) => amount > 0n);
  const answers = await chain.calls(
    probes.map(({ direction: { sell, buy }, amount }): Call => {
      const words = [BigInt(tokens[sell] as string), BigInt(tokens[buy] as string), amount].map(wordOf);
      return { to: pool, data: `${TRY_QUERY}${words.join("")}` };
    }),
    at,
  );
  const paysWhatItSays = (one: WooState) =>
    probes.every(({ direction, amount }, index) => {
      const quote = wooMath.quoteExactIn(one, direction, amount, at.timestamp);
      return uintAt(answers[index] ?? "0x", 0) === (isRejection(quote) ? 0n : quote.amount);
    });
  const versions = VERSIONS.map((spreads) => ({ ...state, spreads })).filter(paysWhatItSays);
  const [version, other] = versions;
  if (other === undefined || state.bases.every(({ spread }) => spread === 0n)) return version;
  return { ...state, spreads: "unknown" };
}
