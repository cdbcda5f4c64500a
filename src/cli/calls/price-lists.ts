import { toJson } from "@bufbuild/protobuf";
import { BatchGetPricesResponseSchema, GetPriceLadderResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { toDecimal } from "../../client/decimal.ts";
import type { Ladder, LadderRequest, SwapRequest } from "../../client/index.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { connect } from "../connection/connection.ts";
import { readJson } from "../connection/json-file.ts";
import { withProgress } from "../connection/progress.ts";
import { amountOf, type NamedToken, readTokenBook } from "../connection/token-book.ts";
import { swapRequestOf } from "../swap-command.ts";
import { priceLine } from "../view/price-view.ts";
import { columns } from "../view/table.ts";

const NUMBERS = /^\d+(\.\d+)?(,\d+(\.\d+)?)*$/;

export async function ladder(given: Invocation): Promise<ExitCode> {
  const connection = connect(given);
  const tokens = await readTokenBook(connection);
  const [first = "", second = "", third = ""] = given.positionals;
  const isExactIn = NUMBERS.test(first);
  if (given.positionals.length !== 3 || !(isExactIn || NUMBERS.test(second))) {
    throw new UsageError(
      "say what to swap: `1,2,5 ETH USDH` sells each amount for USDH, `ETH 100,200 USDH` buys each with ETH",
    );
  }
  const amounts = (isExactIn ? first : second).split(",");
  const one = isExactIn ? [amounts[0] ?? "", second, third] : [first, amounts[0] ?? "", third];
  const { sellAmount: _sold, buyAmount: _bought, ...shared } = swapRequestOf({ ...given, positionals: one }, tokens);
  const [sell, buy] = [tokens.find(isExactIn ? second : first), tokens.find(third)];
  const units = amounts.map((text) => amountOf(text, isExactIn ? sell : buy, given.has("base-units")));
  const rest = { ...shared, blockNumber: given.text("block") };
  const request: LadderRequest = isExactIn ? { ...rest, sellAmounts: units } : { ...rest, buyAmounts: units };
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

export async function prices(given: Invocation): Promise<ExitCode> {
  const [file] = given.positionals;
  if (file === undefined || given.positionals.length > 1) {
    throw new UsageError("name one JSON file: an array of price requests with the API's parameter names");
  }
  const requests = readRequests(file);
  const { client, call, url } = connect(given);
  const answer = await withProgress(
    `waiting for ${url}`,
    given.note,
    client.prices(requests, { ...call, blockNumber: given.text("block") }),
  );
  if (given.has("json")) {
    given.print(JSON.stringify(toJson(BatchGetPricesResponseSchema, answer, { alwaysEmitImplicit: true }), null, 2));
    return EXIT.ok;
  }
  const lines = answer.results.map(({ result }) =>
    result.case === "price"
      ? priceLine(result.value)
      : `no price: ${result.value?.reason}: ${result.value?.description}`,
  );
  given.print(lines.join("\n"));
  return EXIT.ok;
}

/**
 * Reads requests from a file. The client and the service check them.
 * @throws UsageError unless it is an array of objects
 */
function readRequests(file: string): readonly SwapRequest[] {
  const value = readJson(file);
  const isObject = (one: unknown) => one !== null && typeof one === "object" && !Array.isArray(one);
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new UsageError(`${file} is not an array of objects: give an array of price requests`);
}
