import type { DescFile, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import {
  type ServerReflectionRequest,
  type ServerReflectionResponseSchema,
  ServerReflection as V1,
} from "#gen/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as V1Alpha } from "#gen/grpc/reflection/v1alpha/reflection_pb.ts";
import { SwapError } from "../../domain/errors/swap-error.ts";
import { toConnectError } from "../errors/rpc-error.ts";
import { type DescriptorIndex, indexDescriptors } from "./descriptor-index.ts";
import { EXCHANGE } from "./rpc-service.ts";

type Answer = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"]>;

const NOT_FOUND: Answer = { case: "errorResponse", value: { errorCode: Code.NotFound, errorMessage: "not found" } };

/** Bytes of descriptors that one stream is sent: the whole schema several times over. */
const MAX_BYTES = 256 * 1_024;

/** Descriptors that one stream has been sent so far, and their bytes. */
interface Sent {
  readonly files: Set<DescFile>;
  bytes: number;
}

/** Server reflection v1 and v1alpha over the services of `roots`, so that tools need no schema at hand. */
export function createReflection(roots: readonly DescFile[], drained: AbortSignal): (router: ConnectRouter) => void {
  const index = indexDescriptors(roots);

  const answer = ({ messageRequest: asked }: ServerReflectionRequest, sent: Sent): Answer => {
    switch (asked.case) {
      case "listServices":
        return { case: "listServicesResponse", value: { service: index.services.map((name) => ({ name })) } };
      case "fileByFilename":
        return fileAnswer(index, index.fileByName(asked.value), sent);
      case "fileContainingSymbol":
        return fileAnswer(index, index.fileBySymbol(asked.value.replace(/^\./, "")), sent);
      case "fileContainingExtension":
        return fileAnswer(index, index.fileByExtension(asked.value.containingType, asked.value.extensionNumber), sent);
      case "allExtensionNumbersOfType": {
        const extensionNumber = index.extensionNumbers(asked.value);
        if (extensionNumber === undefined) return NOT_FOUND;
        return { case: "allExtensionNumbersResponse", value: { baseTypeName: asked.value, extensionNumber } };
      }
      default:
        return { case: "errorResponse", value: { errorCode: Code.InvalidArgument, errorMessage: "nothing was asked" } };
    }
  };

  async function* serverReflectionInfo(requests: AsyncIterable<ServerReflectionRequest>, context: HandlerContext) {
    const exchange = context.values.get(EXCHANGE);
    const sent: Sent = { files: new Set(), bytes: 0 };
    for await (const request of until(requests, drained)) {
      if (sent.bytes >= MAX_BYTES) {
        throw new ConnectError("this stream was sent the schema several times - open another", Code.ResourceExhausted);
      }
      try {
        exchange?.chargeKeyless?.("stream");
      } catch (refusal) {
        throw refusal instanceof SwapError ? toConnectError(refusal, exchange?.requestId ?? "", "grpc") : refusal;
      }
      yield { validHost: request.host, originalRequest: request, messageResponse: answer(request, sent) };
    }
  }

  return (router) => {
    router.service(V1, { serverReflectionInfo });
    // The two versions differ by their package only.
    router.service(V1Alpha, { serverReflectionInfo: serverReflectionInfo as never });
  };
}

/** The file with its imports, less what this stream has been given before. */
function fileAnswer(index: DescriptorIndex, file: DescFile | undefined, sent: Sent): Answer {
  if (file === undefined) return NOT_FOUND;
  const files: DescFile[] = [];
  const walk = (next: DescFile) => {
    if (sent.files.has(next)) return;
    sent.files.add(next);
    files.push(next);
    next.dependencies.forEach(walk);
  };
  walk(file);
  if (files.length === 0) files.push(file);
  const fileDescriptorProto = files.map(index.encoded);
  sent.bytes += fileDescriptorProto.reduce((sum, bytes) => sum + bytes.length, 0);
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto } };
}

/** The elements until `stopped`: a tool that keeps its stream open does not hold up a shutdown. */
async function* until<T>(elements: AsyncIterable<T>, stopped: AbortSignal): AsyncGenerator<T> {
  const { promise, resolve } = Promise.withResolvers<{ readonly done: true; readonly value: undefined }>();
  const stop = () => resolve({ done: true, value: undefined });
  if (stopped.aborted) stop();
  stopped.addEventListener("abort", stop, { once: true });
  const iterator = elements[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), promise]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    stopped.removeEventListener("abort", stop);
  }
}
