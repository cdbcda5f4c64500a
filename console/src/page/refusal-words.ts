import { readable, shorten, type Token } from "../token.ts";

/** Names of parameters, as people call what they stand for. */
const NAMES: Readonly<Record<string, string>> = {
  sellAmount: "amount",
  buyAmount: "amount",
  sellToken: "token to sell",
  buyToken: "token to buy",
  takerAddress: "taker's address",
  slippagePercentage: "slippage",
};
/** A parameter's name, in quotes or not, after a word that a noun without an article follows. */
const PARAMETERS = new RegExp(`((?:larger|smaller|the|a) )?"?\\b(${Object.keys(NAMES).join("|")})\\b"?`, "g");

/** A refusal's text for people: amounts in whole tokens, no addresses, no names of parameters. `token`: the amount's. */
export function refusalWords(text: string, token: Token): string {
  const plain = text
    .replace(/ ?\((?:pool )?0x[0-9a-f]{40,64}\)/g, "")
    .replace(/ ?\(\d+ base units[^)]*\)/g, "")
    .replace(/\b\d+ base units? \(([^)]*)\)/g, (_, whole: string) => whole.replace(/^[\d.]+/, shorten));
  return sentence(
    inUnits(plain, token).replace(PARAMETERS, (_, before: string | undefined, name: string) => {
      const words = NAMES[name] ?? name;
      return `${before === "a " && words === "amount" ? "an " : (before ?? "the ")}${words}`;
    }),
  );
}

/** The service speaks of base units; people have the token's own. */
function inUnits(text: string, { decimals, symbol }: Token): string {
  return text.replace(
    /\b(\d+) base units(?: of \w+)?|(?<=at most )(\d+)(?![\d.])/g,
    (_, given: string | undefined, most: string) => `${readable(BigInt(given ?? most), decimals)} ${symbol}`,
  );
}

function sentence(text: string): string {
  return text === "" ? "" : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
