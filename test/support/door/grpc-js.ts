import { type ChannelOptions, type Client, credentials, loadPackageDefinition, Metadata } from "@grpc/grpc-js";
import { load } from "@grpc/proto-loader";
import { KEY } from "./http.ts";

/** Error of a failed call at a grpc-js client. */
export interface GrpcFailure extends Error {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

export interface CallOptions {
  readonly key?: string;
  /** Milliseconds from now. */
  readonly deadlineMs?: number;
  readonly channel?: ChannelOptions;
}

/** Calls swap.v1 through @grpc/grpc-js with a proto loader: a client that shares no code with the server. */
export async function callGrpcJs(
  port: number,
  method: "getPrice" | "getQuote" | "listSources",
  request: object,
  options: CallOptions = {},
): Promise<Record<string, unknown>> {
  const definition = await load("swap/v1/swap.proto", {
    includeDirs: [new URL("../../../proto", import.meta.url).pathname],
    defaults: true,
  });
  type Call = (
    request: object,
    metadata: Metadata,
    options: object,
    done: (error: Error | null, answer: Record<string, unknown>) => void,
  ) => void;
  const loaded = loadPackageDefinition(definition) as unknown as {
    swap: {
      v1: { SwapService: new (address: string, creds: object, options?: object) => Client & Record<string, Call> };
    };
  };
  const client = new loaded.swap.v1.SwapService(
    `127.0.0.1:${port}`,
    credentials.createInsecure(),
    options.channel ?? {},
  );
  const metadata = new Metadata();
  if (options.key !== "") metadata.set("api-key", options.key ?? KEY);
  const callOptions = options.deadlineMs === undefined ? {} : { deadline: Date.now() + options.deadlineMs };
  try {
    return await new Promise((resolve, reject) => {
      client[method]!(request, metadata, callOptions, (error, answer) =>
        error === null ? resolve(answer) : reject(error),
      );
    });
  } finally {
    client.close();
  }
}
