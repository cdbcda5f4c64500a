const NO_VALUE = "Who buys native token sells another one, so that no value comes along: both ways give one amount.";

/** Faults that change nothing that anybody could see, each with its reason: by their names in tools/contracts/faults.ts. */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  "Gateway swap: made < bought -> made <= bought": "The smaller of two equal amounts is either.",
  "Gateway swap: terms.buyToken == NATIVE_TOKEN ? nativeBefore : terms.buyToken.balanceOf(address(this)) -> terms.buyToken.balanceOf(address(this))":
    NO_VALUE,
  "Gateway swap: terms.buyToken == NATIVE_TOKEN -> false": NO_VALUE,
  "Gateway swap: NATIVE_TOKEN -> address(uint160(NATIVE_TOKEN) ^ 1) (2)": NO_VALUE,
};
