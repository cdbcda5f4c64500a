import { toJson } from "@bufbuild/protobuf";
import { GetPriceResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import type { CallOptions, PriceRequest, SwapClient } from "../../client/index.ts";
import { openOffline } from "../../compose/offline.ts";
import { readSnapshotFile, SnapshotFileError } from "../../snapshot/file.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { configurationOf } from "../connection/configuration.ts";
import { connect } from "../connection/connection.ts";
import { readJson } from "../connection/json-file.ts";
import { withProgress } from "../connection/progress.ts";
import { readTokenBook, type TokenBook, tokenBookOf } from "../connection/token-book.ts";
import { swapRequestOf } from "../swap-command.ts";
import { priceView } from "../view/price-view.ts";

/** Client that answers, online or from a snapshot, with its tokens. */
interface Desk {
  readonly client: SwapClient;
  readonly call: CallOptions;
  readonly tokens: TokenBook;
  /** Name of the service, for the progress line. */
  readonly place: string;
}

export async function price(given: Invocation): Promise<ExitCode> {
  const file = given.text("snapshot");
  const { client, call, tokens, place } = file === undefined ? await online(given) : offline(given, file);
  const overrides = overridesOf(given.text("overrides"));
  const request = { ...swapRequestOf(given, tokens), blockNumber: given.text("block"), overrides };
  const answer = await withProgress(`waiting for ${place}`, given.note, client.price(request, call));
  const json = () => JSON.stringify(toJson(GetPriceResponseSchema, answer, { alwaysEmitImplicit: true }), null, 2);
  given.print(given.has("json") ? json() : priceView(answer));
  return EXIT.ok;
}

/** Logs as a node tells them: alone, or in a receipt. What they have to be is for the client to say. @throws UsageError */
function overridesOf(file: string | undefined): PriceRequest["overrides"] {
  if (file === undefined) return undefined;
  const value = readJson(file) as PriceRequest["overrides"] | { readonly logs?: unknown } | null;
  const logs = value !== null && typeof value === "object" && "logs" in value ? value.logs : value;
  if (Array.isArray(logs)) return logs;
  throw new UsageError(`${file} holds no logs: give an array of logs, or an object with it as "logs"`);
}

async function online(given: Invocation): Promise<Desk> {
  const connection = connect(given);
  const { client, call, url } = connection;
  return { client, call, tokens: await readTokenBook(connection), place: url };
}

/** @throws UsageError when the file cannot be used */
function offline(given: Invocation, file: string): Desk {
  const { MAX_HOPS: maxHops, MAX_FILLS: maxFills } = configurationOf(given);
  try {
    const saved = readSnapshotFile(file);
    return {
      client: openOffline(saved, { maxHops, maxFills }),
      call: {},
      tokens: tokenBookOf(saved.tokens, file),
      place: file,
    };
  } catch (error) {
    throw error instanceof SnapshotFileError ? new UsageError(`--snapshot: ${error.message}`) : error;
  }
}
