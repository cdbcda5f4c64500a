import { expect, test } from "vitest";
import { DEFAULT_SERVER_CONFIG } from "../../src/api/server.ts";
import { apiConfigOf } from "../../src/compose/api-server.ts";
import { readConfig } from "../../src/ops/config.ts";

test("the door's own defaults are those of the options", () => {
  expect(DEFAULT_SERVER_CONFIG).toMatchObject(apiConfigOf(readConfig({})));
});

test("streams that stay open must leave room for other requests", () => {
  expect(() => readConfig({ MAX_STREAMS_PER_CONNECTION: "256" })).toThrow(
    /MAX_STREAMS_PER_CONNECTION is \d+ and must be less than HTTP2_MAX_STREAMS/,
  );
});

test("proxies are addresses or blocks of them", () => {
  expect(readConfig({ TRUSTED_PROXIES: "10.0.0.0/8, 2001:db8::1" }).TRUSTED_PROXIES).toEqual([
    "10.0.0.0/8",
    "2001:db8::1",
  ]);
  for (const wrong of ["proxy.example", "10.0.0.0/33"]) {
    expect(() => readConfig({ TRUSTED_PROXIES: wrong })).toThrow(/^TRUSTED_PROXIES must be addresses or CIDR blocks/);
  }
});
