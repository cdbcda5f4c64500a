import { readable, type Token } from "./token.ts";

/** Names of parameters, as people call what they stand for. */
const NAMES: Readonly<Record<string, string>> = {
  sellAmount: "the amount",
  buyAmount: "the amount",
  sellToken: "the token to sell",
  buyToken: "the token to buy",
  takerAddress: "the taker's address",
  slippagePercentage: "the slippage",
};
const PARAMETERS = new RegExp(`"?\\b(${Object.keys(NAMES).join("|")})\\b"?`, "g");

/** A refusal's text for people: amounts in whole tokens, no addresses, no names of parameters. `token`: the amount's. */
export function refusalWords(text: string, token: Token): string {
  const plain = text.replace(/ ?\(0x[0-9a-f]{40}\)/g, "").replace(/ ?\(\d+ base units[^)]*\)/g, "");
  return sentence(inUnits(plain, token).replace(PARAMETERS, (_, name: string) => NAMES[name] ?? name));
}

/** The service speaks of base units; people have the token's own. */
function inUnits(text: string, { decimals, symbol }: Token): string {
  return text.replace(
    /\b(\d+) base units(?: of \w+)?|(?<=at most )(\d+)\b/g,
    (_, given: string | undefined, most: string) => `${readable(BigInt(given ?? most), decimals)} ${symbol}`,
  );
}

function sentence(text: string): string {
  return text === "" ? "" : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
