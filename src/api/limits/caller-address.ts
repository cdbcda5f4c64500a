import ipaddr from "ipaddr.js";

/** Bytes of an IPv6 address that name its network: one subscriber has all the rest. */
const NETWORK_BYTES = 8;

/** Headers in which proxies name who called them, newest last. */
interface ForwardingHeaders {
  readonly forwarded?: string | undefined;
  readonly "x-forwarded-for"?: string | string[] | undefined;
}

/** Finds the network that a request comes from. */
export interface CallerAddress {
  /** Whether there are proxies whose word is believed. */
  readonly any: boolean;
  /** Whether the peer with this address is a proxy whose word is believed. */
  isProxy(peer: string): boolean;
  /** The caller's network: the peer's, or the last one in a trusted proxy's headers that is no such proxy. */
  of(peer: string, headers: ForwardingHeaders): string;
}

/** @param trusted proxies as CIDR blocks or single addresses. @throws Error when one of them is neither */
export function createCallerAddress(trusted: readonly string[]): CallerAddress {
  const blocks = trusted.map(parseBlock);
  const isProxy = (text: string): boolean => {
    const address = parse(text);
    return address !== undefined && blocks.some((block) => contains(block, address));
  };
  return {
    any: blocks.length > 0,
    isProxy,
    of(peer, headers) {
      if (!isProxy(peer)) return networkOf(peer);
      const hops = hopsOf(headers);
      let caller = peer;
      for (let at = hops.length - 1; at >= 0 && isProxy(caller); at -= 1) {
        // Everything before an obscured or broken hop has an unknown author.
        if (parse(hops[at]!) === undefined) break;
        caller = hops[at]!;
      }
      return networkOf(caller);
    },
  };
}

/** The part of an address that its owner cannot change at will: all of IPv4, the first 64 bits of IPv6. */
export function networkOf(text: string): string {
  const address = parse(text);
  if (address === undefined) return text;
  if (address.kind() === "ipv4") return address.toString();
  return Buffer.from(address.toByteArray().slice(0, NETWORK_BYTES)).toString("hex");
}

type Address = ReturnType<typeof ipaddr.process>;
type Block = ReturnType<typeof ipaddr.parseCIDR>;

function parse(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function parseBlock(text: string): Block {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) throw new Error(`${text} is not an address or a CIDR block: give one like 10.0.0.0/8`);
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

function contains(block: Block, address: Address): boolean {
  return block[0].kind() === address.kind() && address.match(block);
}

/** Addresses in the order in which proxies have added them. `Forwarded` (RFC 7239) wins over `X-Forwarded-For`. */
function hopsOf(headers: ForwardingHeaders): readonly string[] {
  if (headers.forwarded !== undefined) {
    return headers.forwarded.split(",").map((hop) => bare(/(?:^|;)\s*for\s*=\s*("[^"]*"|[^;]*)/i.exec(hop)?.[1] ?? ""));
  }
  const { "x-forwarded-for": list = "" } = headers;
  const text = typeof list === "string" ? list : list.join();
  return text === "" ? [] : text.split(",").map(bare);
}

/** An address without quotes, brackets and port. */
function bare(hop: string): string {
  const text = hop.trim().replace(/^"(.*)"$/, "$1");
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  if (bracketed !== undefined) return bracketed;
  return text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}
