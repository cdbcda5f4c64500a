import { toJson } from "@bufbuild/protobuf";
import { GetPriceLadderResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { toDecimal } from "../../client/decimal.ts";
import type { Ladder, LadderRequest } from "../../client/index.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { connect } from "../connection/connection.ts";
import { withProgress } from "../connection/progress.ts";
import { amountOf, type NamedToken, readTokenBook } from "../connection/token-book.ts";
import { swapRequestOf } from "../swap-command.ts";
import { columns } from "../view/table.ts";

const NUMBERS = /^\d+(\.\d+)?(,\d+(\.\d+)?)*$/;

export async function ladder(given: Invocation): Promise<ExitCode> {
  const connection = connect(given);
  const tokens = await readTokenBook(connection);
  const [first = "", second = "", third = ""] = given.positionals;
  const isSale = NUMBERS.test(first);
  if (given.positionals.length !== 3 || !(isSale || NUMBERS.test(second))) {
    throw new UsageError(
      "say what to swap: `1,2,5 ETH USDH` sells each amount for USDH, `ETH 100,200 USDH` buys each with ETH",
    );
  }
  const amounts = (isSale ? first : second).split(",");
  const one = isSale ? [amounts[0] ?? "", second, third] : [first, amounts[0] ?? "", third];
  const { sellAmount: _sold, buyAmount: _bought, ...shared } = swapRequestOf({ ...given, positionals: one }, tokens);
  const [sell, buy] = [tokens.find(isSale ? second : first), tokens.find(third)];
  const units = amounts.map((text) => amountOf(text, isSale ? sell : buy, given.has("base-units")));
  const request: LadderRequest = isSale ? { ...shared, sellAmounts: units } : { ...shared, buyAmounts: units };
  const { client, call, url } = connection;
  const answer = await withProgress(`waiting for ${url}`, given.note, client.ladder(request, call));
  const json = () =>
    JSON.stringify(toJson(GetPriceLadderResponseSchema, answer, { alwaysEmitImplicit: true }), null, 2);
  given.print(given.has("json") ? json() : table(answer, sell, buy));
  return EXIT.ok;
}

function table({ entries, blockNumber, blockHash }: Ladder, sell: NamedToken, buy: NamedToken): string {
  const rows = entries.map(({ amount, result }) => {
    if (result.case !== "price") return [amount, "", "", "", result.value?.reason ?? ""];
    const { sellAmount, buyAmount, price, estimatedGas, optimality } = result.value;
    return [inTokens(sellAmount, sell), inTokens(buyAmount, buy), price, estimatedGas, optimality?.gapBps ?? ""];
  });
  const head = [`sell ${sell.symbol ?? sell.address}`, `buy ${buy.symbol ?? buy.address}`, "price", "gas", "gap bps"];
  return [...columns([head, ...rows], [0, 1, 3]), "", `block ${blockNumber} ${blockHash}`].join("\n");
}

function inTokens(units: string, { decimals }: NamedToken): string {
  return decimals === undefined ? units : toDecimal(BigInt(units), decimals);
}
