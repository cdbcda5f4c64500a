const NO_VALUE = "Who buys native token sells another one, so that no value comes along: both ways give one amount.";

/** Faults that change nothing that anybody could see, each with its reason: by their names in tools/contracts/faults.ts. */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  "Executor execute: 33 -> 33 + 1": "A word made of more bytes is made of the first 32.",
  "Executor execute: unspent != 0 -> true": "To send nothing to the gateway changes nothing but gas.",
  "Gateway swap: made < bought -> made <= bought": "The smaller of two equal amounts is either.",
  "Gateway swap: buyToken == NATIVE_TOKEN ? nativeBefore : buyToken.balanceOf(address(this)) -> buyToken.balanceOf(address(this))":
    NO_VALUE,
  "Gateway swap: buyToken == NATIVE_TOKEN -> false": NO_VALUE,
  "Gateway swap: NATIVE_TOKEN -> address(uint160(NATIVE_TOKEN) ^ 1) (2)": NO_VALUE,
};
