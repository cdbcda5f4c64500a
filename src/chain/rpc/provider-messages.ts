/** Meaning of an error of a node or provider for the caller. */
export type ProviderFault =
  /** The call itself failed on the chain: that is an answer. */
  | "execution"
  /** The account with the provider may not ask: a wrong or expired key, a spent quota, a plan that was not paid. */
  | "account"
  /** There were too many requests at present; later there is an answer. */
  | "limit"
  /** The range of blocks or the answer is larger than the node gives: ask for less. */
  | "too-much"
  /** The node has dropped the history or the state that was asked for; an archive has it. */
  | "pruned"
  /** The node does not have the block that was named, or not yet. */
  | "unknown-block"
  /** The node does not have the method, or the plan does not include it. */
  | "unsupported"
  | "other";

interface Words {
  readonly trouble: ProviderFault;
  /** Codes that mean it, whatever the words are. */
  readonly codes: readonly number[];
  readonly words: RegExp;
}

/**
 * Words for a failed call. What follows "revert" is the contract's own reason: any words that its author likes, so that this
 * comes before all others.
 */
const EXECUTION = /revert|out ?of ?gas|invalid ?opcode|stack ?(under|over)flow|invalid ?jump/i;

/**
 * Error messages of providers and nodes; the first match counts. Different troubles share codes, so words come before
 * codes. `test/chain/rpc/provider-messages.test.ts` has the message of each provider that a line is for.
 */
const TABLE: readonly Words[] = [
  // Rates by the second are limits, whatever else stands beside them: "… or upgrade your account".
  {
    trouble: "limit",
    codes: [],
    words:
      /(per|\/) ?(sec(ond)?|s|min(ute)?)\b|too many requests?|over rate limit|\b(rps|qps|cups) limit|throttl|retry in \d|reduce (calls|requests)/i,
  },
  {
    trouble: "pruned",
    codes: [4444],
    words: /pruned|archive|history.{0,24}(unavailable|not available|not kept|expired)/i,
  },
  {
    trouble: "account",
    codes: [402],
    words:
      /(daily|monthly|hourly|free|plan|account).{0,24}(limit|quota|capacity|count|usage|credits?|units?).{0,24}(exceed|reach|exhaust|used|spent)|(quota|credits?|balance).{0,24}(exceed|exhaust|deplet|used up|spent|insufficient|ran out)|insufficient (credits?|quota)|unauthori[sz]ed|not authori[sz]ed|authenticat|payment required|(api|access|project|app).?(key|id|token).{0,40}(invalid|expired|disabled|missing|not|unknown|inactive)|(invalid|expired|unknown|missing|disabled).{0,16}(api|access|project|app).?(key|id|token)|(key|token|plan|trial|subscription).{0,16}expired|suspended/i,
  },
  {
    trouble: "unknown-block",
    codes: [],
    words:
      /unknown block|(header|block|state|trie node)( for block)?( [\da-fx]+)? ?(not found|is missing|missing|unavailable|is not available|not available)|missing (header|trie node)|(block|header) .{0,80}(not found|unavailable)|beyond (the )?(current )?head/i,
  },
  {
    trouble: "too-much",
    codes: [-32614, -32615, -32062],
    words:
      /more than [\d,]+ (results|logs|events)|too (large|big|wide|high|many (results|logs|events|blocks))|(response|result|answer|log response).{0,24}exceed|range.{0,40}(exceed|limit|larger|maximum|not supported|too)|exceeds?.{0,24}(range|max results)|max(imum)? (block )?range|up to an? [\d,.]+k? block|(limited to|up to).{0,16}[\d,.]+k?.{0,12}(range|blocks)|narrow your filter|query (duration|timeout|timed out)|ranges over [\d,]+ blocks/i,
  },
  {
    trouble: "unsupported",
    codes: [-32601, -32004],
    words:
      /method .{0,60}(not (found|supported|available|allowed|whitelisted|enabled|exist)|does not exist|unsupported|disabled)|(unsupported|unknown|unavailable) method|is not (available|supported) on\b/i,
  },
  {
    trouble: "limit",
    codes: [-32005, -32007, -32012, -32016, -32029, -32090, 429],
    words: /rate.?limit|compute units?|throughput|limit(s)? exceeded|capacity exceeded/i,
  },
];

/** Meaning of a JSON-RPC error, by its code and the node's own words. */
export function providerFaultOf(code: number, words: string): ProviderFault {
  if (code === 3 || EXECUTION.test(words)) return "execution";
  const bySaying = TABLE.find((line) => line.words.test(words));
  return (bySaying ?? TABLE.find(({ codes }) => codes.includes(code)))?.trouble ?? "other";
}

/**
 * Blocks that a refused range may have, where the node says so: "up to a 500 block range", "limited to a 10,000 range", "max
 * range: 2000". Undefined where it does not.
 */
export function statedRange(words: string): bigint | undefined {
  const told =
    /(?:up to an?|limited to an?|limited to|limit of|max(?:imum)?(?: supported)?(?: block)?(?: range)?(?: is)?(?: set to)?:?|over|exceeds limit of) ([\d,.]+)(k?)\b/i.exec(
      words,
    );
  if (told === null) return undefined;
  const blocks = BigInt(told[1]!.replace(/[,.]/g, "") || "0") * (told[2] === "" ? 1n : 1_000n);
  return blocks > 0n && blocks <= 10_000_000n ? blocks : undefined;
}

/** Milliseconds after which a limited request may come again, where the node says so in words: "retry in 10s". */
export function statedWaitMs(words: string): number | undefined {
  const told = /(?:retry|again|try) (?:in|after) (\d{1,4}) ?(ms|m(?:in)?|s)/i.exec(words);
  if (told === null) return undefined;
  const [, count, unit] = told;
  return Number(count) * (unit === "ms" ? 1 : unit === "s" ? 1_000 : 60_000);
}
