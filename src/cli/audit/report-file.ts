import { writeFileSync } from "node:fs";
import querystring from "node:querystring";
import { messageOf } from "../../domain/message-of.ts";
import type { Config } from "../../ops/config.ts";
import { UsageError } from "../command.ts";

/** A part of a URL shorter than this is no secret, and may be a word. */
const SHORTEST_SECRET = 6;
const REMOVED = "(removed)";

/**
 * Writes what an audit found into one file that can be given to anybody: no URL of a node and no part of one that may hold a
 * key is in it.
 * @throws UsageError when the file cannot be written
 */
export function writeReport(file: string, report: object, config: Pick<Config, "RPC_URL" | "WS_URL">): void {
  try {
    writeFileSync(file, `${withoutSecrets(jsonText(report), config)}\n`);
  } catch (error) {
    throw new UsageError(`--report: ${messageOf(error)}`);
  }
}

/** JSON with amounts as decimal strings. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each), 2);
}

/** A text without the nodes' URLs, their hosts, users, passwords, and parts of their paths and queries. */
export function withoutSecrets(
  text: string,
  { RPC_URL: rpcUrls, WS_URL: wsUrls }: Pick<Config, "RPC_URL" | "WS_URL">,
): string {
  const secrets = [...rpcUrls, ...wsUrls].flatMap(secretsOf).sort((a, b) => b.length - a.length);
  return secrets.reduce((left, secret) => left.replaceAll(secret, REMOVED), text);
}

function secretsOf(address: string): readonly string[] {
  const { href, host, username, password, pathname, searchParams } = new URL(address);
  const parts = [username, password, ...pathname.split("/"), ...searchParams.values()];
  const long = [...parts, ...parts.map(querystring.unescape)].filter(({ length }) => length >= SHORTEST_SECRET);
  return [address, href, host, ...long];
}
