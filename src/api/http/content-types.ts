import { parse } from "content-type";

/** Encoding of the messages of a Connect, gRPC or gRPC-Web call. */
export interface RpcFormat {
  readonly protocol: "connect" | "grpc" | "grpc-web";
  readonly json: boolean;
  /** Whether a head of flag and length stands before each message. */
  readonly enveloped: boolean;
  /** Whether the whole body is base64: gRPC-Web for browsers that read text only. */
  readonly base64: boolean;
  /** The content type without parameters, in the one spelling that Connect's handlers know. */
  readonly contentType: string;
  /** A character encoding of JSON that is not read. */
  readonly unreadable: string | undefined;
}

const UNARY = /^application\/(json|proto)$/;
const ENVELOPED = /^application\/(connect(?=\+)|grpc|grpc-web|grpc-web-text)(\+proto|\+json)?$/;
const ANY_GRPC = /^application\/grpc(-web(-text)?)?(\+[\w.-]+)?$/;

/** Names of encodings whose every text is one of UTF-8. */
const UTF8 = ["utf-8", "utf8", "us-ascii", "ascii"];

/** Parses a content type (RFC 9110, section 8.3.1); undefined for those that no protocol here knows. */
export function rpcFormatOf(header: string | undefined): RpcFormat | undefined {
  const { type, parameters } = parse(header ?? "");
  const charset = parameters.charset;
  const unreadable = charset === undefined || UTF8.includes(charset.toLowerCase()) ? undefined : charset;
  const unary = UNARY.exec(type)?.[1];
  if (unary !== undefined) {
    const json = unary === "json";
    return {
      ...{ protocol: "connect", json, enveloped: false, base64: false, contentType: type },
      unreadable: json ? unreadable : undefined,
    };
  }
  const [, name, suffix] = ENVELOPED.exec(type) ?? [];
  if (name === undefined) return undefined;
  const json = suffix === "+json";
  const base64 = name === "grpc-web-text";
  return {
    protocol: base64 ? "grpc-web" : (name as RpcFormat["protocol"]),
    json,
    enveloped: true,
    base64,
    contentType: base64 ? type.replace("-text", "") : type,
    unreadable: json ? unreadable : undefined,
  };
}

/** The media type of a request of gRPC or gRPC-Web, whatever its messages are written in; undefined for all others. */
export function grpcTypeOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const { type } = parse(header, { parameters: false });
  return ANY_GRPC.test(type) ? type : undefined;
}
