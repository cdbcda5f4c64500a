import { expect, test } from "vitest";
import { createCallerAddress, networkOf } from "../../../src/api/limits/caller-address.ts";

test.each([
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
  ["2001:db8::1", "2001:db8:0:0:5::", true],
  ["::1", "::2", true],
  ["::ffff:10.0.0.1", "10.0.0.1", true],
  ["::ffff:0a00:0001", "10.0.0.1", true],
  ["::ffff:10.0.0.1", "::ffff:10.0.0.2", false],
])("%s and %s are one network: %s", (one, other, same) => {
  expect(networkOf(one) === networkOf(other)).toBe(same);
});

const { of } = createCallerAddress(["10.0.0.0/8", "2001:db8::/32", "192.0.2.1"]);

test.each([
  ["no header", "10.0.0.1", {}, "10.0.0.1"],
  ["a stranger's own word", "198.51.100.1", { "x-forwarded-for": "203.0.113.1" }, "198.51.100.1"],
  ["a trusted proxy's word", "10.0.0.1", { "x-forwarded-for": "203.0.113.1" }, "203.0.113.1"],
  ["a caller that lies", "10.0.0.1", { "x-forwarded-for": "192.0.2.7, 203.0.113.1" }, "203.0.113.1"],
  ["two proxies", "10.0.0.1", { "x-forwarded-for": "203.0.113.1, 192.0.2.1" }, "203.0.113.1"],
  ["several lines", "10.0.0.1", { "x-forwarded-for": ["192.0.2.7", "203.0.113.1"] }, "203.0.113.1"],
  ["a port", "10.0.0.1", { "x-forwarded-for": "203.0.113.1:4711" }, "203.0.113.1"],
  ["Forwarded", "10.0.0.1", { forwarded: "for=192.0.2.7;proto=http, For=203.0.113.1;by=10.0.0.1" }, "203.0.113.1"],
  ["Forwarded with IPv6", "10.0.0.1", { forwarded: 'for="[2001:db9:1::5]:4711"' }, networkOf("2001:db9:1::")],
  ["an obscured caller", "10.0.0.1", { forwarded: "for=_hidden" }, "10.0.0.1"],
  ["nonsense", "10.0.0.1", { "x-forwarded-for": ",;,unknown" }, "10.0.0.1"],
  ["an IPv6 proxy", "2001:db8::1", { "x-forwarded-for": "203.0.113.1" }, "203.0.113.1"],
  ["an IPv4 proxy on an IPv6 socket", "::ffff:10.0.0.1", { "x-forwarded-for": "203.0.113.1" }, "203.0.113.1"],
  ["proxies only", "10.0.0.1", { "x-forwarded-for": "10.0.0.3, 10.0.0.2" }, "10.0.0.3"],
])("the caller of %s", (_, peer, headers, caller) => {
  expect(of(peer, headers)).toBe(caller);
});

test("a proxy that is no address is told", () => {
  expect(() => createCallerAddress(["proxy.example"])).toThrow("proxy.example is not an address");
});
