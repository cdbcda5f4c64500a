import { readFileSync } from "node:fs";
import { toJson } from "@bufbuild/protobuf";
import { BatchGetPricesResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import type { SwapRequest } from "../../client/index.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { connect } from "../connection/connection.ts";
import { withProgress } from "../connection/progress.ts";
import { priceLine } from "../view/price-view.ts";

export async function prices(given: Invocation): Promise<ExitCode> {
  const [file] = given.positionals;
  if (file === undefined || given.positionals.length > 1) {
    throw new UsageError("name one file of JSON: an array of what the price takes, in the names of the API");
  }
  const requests = readRequests(file);
  const { client, call, url } = connect(given);
  const answer = await withProgress(`waiting for ${url}`, given.note, client.prices(requests, call));
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

/** What is in the requests is for the client and the service to check. @throws UsageError for what is no array of objects */
function readRequests(file: string): readonly SwapRequest[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
  const isObject = (one: unknown) => one !== null && typeof one === "object" && !Array.isArray(one);
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new UsageError(`${file} is no array of objects: send what GetPrice takes, once or more`);
}
