import { lookup as resolve } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Networks that are not the public internet (IANA's special-purpose registries, RFC 6890 and after). */
const PRIVATE: readonly (readonly [net: string, prefix: number, family: "ipv4" | "ipv6"])[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.0.2.0", 24, "ipv4"],
  ["192.88.99.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["198.51.100.0", 24, "ipv4"],
  ["203.0.113.0", 24, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["::", 96, "ipv6"],
  ["64:ff9b::", 96, "ipv6"],
  ["64:ff9b:1::", 48, "ipv6"],
  ["100::", 64, "ipv6"],
  ["2001::", 23, "ipv6"],
  ["2001:db8::", 32, "ipv6"],
  ["2002::", 16, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["fec0::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
];

const BLOCKED = blockListOf(PRIVATE);

function blockListOf(networks: typeof PRIVATE): Pick<BlockList, "check"> {
  const list = new BlockList();
  for (const [net, prefix, family] of networks) list.addSubnet(net, prefix, family);
  return list;
}

/** Whether an IP address is on the public internet. An IPv4 address inside IPv6 counts as that IPv4 address. */
export function isPublic(ip: string): boolean {
  const family = isIP(ip);
  return family !== 0 && !BLOCKED.check(ip, family === 6 ? "ipv6" : "ipv4");
}

/**
 * DNS lookup that refuses a host that is, or resolves to, anything but public addresses. The connection itself uses it,
 * so that no second lookup can answer otherwise (DNS rebinding).
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "", 0);
    const list = Array.isArray(addresses) ? addresses : [];
    const [first] = list;
    if (first === undefined || !list.every(({ address }) => isPublic(address))) {
      return callback(new Error("the host is not on the public internet"), "", 0);
    }
    if (options.all === true) callback(null, list);
    else callback(null, first.address, first.family);
  });
};

/** @throws Error when a URL names its host by an address that is not public: such a host is never looked up. */
export function assertPublicHost(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublic(host)) throw new Error("the host is not on the public internet");
}
