import { describe, expect, it } from "vitest";
import { ConfigError, listOptions, readConfig } from "../../src/ops/config.ts";

describe("readConfig", () => {
  it("serves the devnet on 127.0.0.1:8080 when nothing is set", () => {
    const config = readConfig({});
    expect(config).toMatchObject({ HOST: "127.0.0.1", PORT: 8080, DEVNET_PORT: 8545, DEVNET_TRAFFIC: false });
    expect(config.RPC_URL).toEqual([]);
  });

  it("takes an empty variable as not set", () => {
    expect(readConfig({ PORT: "", RPC_URL: "" })).toEqual(readConfig({}));
  });

  it("splits lists and trims their items", () => {
    expect(readConfig({ CORS_ORIGINS: " https://a.example , https://b.example," }).CORS_ORIGINS).toEqual([
      "https://a.example",
      "https://b.example",
    ]);
  });

  it("takes origins as browsers send them, and none that would never match", () => {
    const sent = ["https://a.example", "http://localhost:3000", "chrome-extension://abcdefghijklmnop", "*"];
    expect(readConfig({ CORS_ORIGINS: sent.join() }).CORS_ORIGINS).toEqual(sent);
    for (const never of [
      ...["https://a.example/", "a.example", "https://A.example", "https://a.example:443", "https://a.example/app"],
      ...["localhost:3000", "https://*.a.example", "file:///", "https://user@a.example", "null"],
    ]) {
      expect(() => readConfig({ CORS_ORIGINS: never }), never).toThrow(/^CORS_ORIGINS must be origins/);
    }
  });

  it("names every wrong variable at once and says what it must be", () => {
    const read = () => readConfig({ PORT: "80a", DEVNET_TRAFFIC: "yes", LOG_LEVEL: "loud", WS_URL: "http://x" });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/PORT must be a whole number from 0 to 65535/);
    expect(read).toThrow(/DEVNET_TRAFFIC must be 0 or 1/);
    expect(read).toThrow(/^PORT must be .*, not "80a"$/m);
    expect(read).toThrow(/^DEVNET_TRAFFIC must be 0 or 1, not "yes"$/m);
    expect(read).toThrow(/^LOG_LEVEL must be trace, debug, info, warn, error or silent, not "loud"$/m);
    expect(read).toThrow(/WS_URL must be a URL like ws:/);
  });

  it("does not repeat a wrong secret", () => {
    const secrets = { TRIBUTARY_API_KEY: "short", KEY_PEPPER: "salt", RPC_URL: "ftp://key@x", WS_URL: "ftp://key@y" };
    const told = () => readConfig(secrets);
    for (const [name, value] of Object.entries(secrets)) {
      expect(told).toThrow(new RegExp(`^${name} must `, "m"));
      expect(told).not.toThrow(new RegExp(value));
    }
  });

  it("takes several nodes, and no quorum that they cannot come to", () => {
    const nodes = { RPC_URL: "http://127.0.0.1:1, https://node.example/key", CHAIN: "ethereum" };
    expect(readConfig({ ...nodes, RPC_QUORUM: "2" }).RPC_URL).toEqual([
      "http://127.0.0.1:1",
      "https://node.example/key",
    ]);
    expect(() => readConfig({ ...nodes, RPC_QUORUM: "3" })).toThrow(
      /RPC_QUORUM is 3, and RPC_URL names 2: name more nodes/,
    );
    expect(() => readConfig({ RPC_URL: "http://127.0.0.1:1,ftp://x" })).toThrow(/RPC_URL must be a URL like http/);
    const twice = { ...nodes, RPC_URL: "http://127.0.0.1:1,http://127.0.0.1:1", RPC_QUORUM: "2" };
    expect(() => readConfig(twice)).toThrow(/^RPC_URL names a node twice/);
  });

  it("asks for the chain when a node is named, and for one only", () => {
    expect(() => readConfig({ RPC_URL: "http://127.0.0.1:1" })).toThrow(/CHAIN is needed with RPC_URL/);
    const twice = { RPC_URL: "http://127.0.0.1:1", CHAIN: "base", CHAIN_FILE: "c.json" };
    expect(() => readConfig(twice)).toThrow(/CHAIN_FILE and CHAIN name the chain twice/);
    expect(readConfig({ RPC_URL: "http://127.0.0.1:1", CHAIN_FILE: "c.json" }).CHAIN_FILE).toBe("c.json");
  });

  it("takes nothing that would be passed over in silence", () => {
    const node = { RPC_URL: "http://127.0.0.1:1", CHAIN: "ethereum" };
    expect(readConfig({ ...node, WS_URL: "ws://127.0.0.1:1" }).WS_URL).toHaveLength(1);
    const more = { ...node, WS_URL: "ws://127.0.0.1:1,ws://127.0.0.1:2" };
    expect(() => readConfig(more)).toThrow(/^WS_URL names \d nodes, and RPC_URL \d/);
    expect(readConfig({ RATE_LIMIT: "5", RATE_BURST: "9" })).toMatchObject({ RATE_LIMIT: 5, RATE_BURST: 9 });
    expect(() => readConfig({ RATE_BURST: "9" })).toThrow(/^RATE_BURST needs RATE_LIMIT/);
  });

  it("takes a certificate with its key, or neither", () => {
    const both = { TLS_CERT_FILE: "cert.pem", TLS_KEY_FILE: "key.pem" };
    expect(readConfig(both)).toMatchObject(both);
    for (const one of [{ TLS_CERT_FILE: "cert.pem" }, { TLS_KEY_FILE: "key.pem" }]) {
      expect(() => readConfig(one)).toThrow("TLS_KEY_FILE and TLS_CERT_FILE need each other: set both, or none");
    }
  });
});

describe("listOptions", () => {
  it("describes every option", () => {
    for (const option of listOptions()) expect(option.description, option.name).not.toBe("");
  });
});
