import { describe, expect, it } from "vitest";
import { answers, freePort, startProgram } from "../support/process/program.ts";

describe("a wrong configuration", () => {
  it("is told in full, and nothing is started", async () => {
    const program = startProgram({ PORT: "http", DEVNET_TRAFFIC: "maybe" });
    expect(await program.end()).toBe(2);
    expect(program.stderr()).toContain("PORT must be a whole number from 0 to 65535");
    expect(program.stderr()).toContain("DEVNET_TRAFFIC must be 0 or 1");
    expect(program.stdout()).toBe("");
  });

  const NODE = { RPC_URL: "http://127.0.0.1:9", CHAIN: "ethereum" };
  it.each([
    [{ ...NODE, CHAIN: "nowhere" }, /^CHAIN: "nowhere" is not a known chain/],
    [{ ...NODE, CHAIN: "", CHAIN_FILE: "/nowhere.json" }, /^CHAIN_FILE: .*nowhere/],
    [{ ...NODE, TOKEN_LIST: "/nowhere.json" }, /^TOKEN_LIST: .*nowhere/],
    [{ ...NODE, RPC_URL: "" }, /^RPC_URL is needed with CHAIN/],
    [{ ...NODE, HOST: "nowhere.invalid" }, /^HOST: .*nowhere\.invalid/m],
    [{ ...NODE, METRICS_PORT: "0", METRICS_HOST: "nowhere.invalid" }, /^METRICS_HOST: .*nowhere\.invalid/m],
    [{ ...NODE, METRICS_HOST: "127.0.0.1" }, /^METRICS_HOST needs METRICS_PORT/],
    [{ ...NODE, PORT: "8080", METRICS_PORT: "8080" }, /^METRICS_PORT and PORT are the same/],
    // With the devnet, which is not started for it.
    [{ MAKERS_FILE: "/nowhere.json" }, /^MAKERS_FILE: .*nowhere/],
    [{ TLS_CERT_FILE: "/nowhere.pem", TLS_KEY_FILE: "/nowhere.pem" }, /^TLS_CERT_FILE, TLS_KEY_FILE: .*nowhere/],
  ])("names the option: %o", async (options, says) => {
    const devnet = await freePort();
    const program = startProgram({ PORT: "0", DEVNET_PORT: String(devnet), LOG_LEVEL: "silent", ...options });
    let started = false;
    const looking = setInterval(async () => (started ||= await answers(devnet)), 50);
    expect(await program.end()).toBe(2);
    clearInterval(looking);
    expect(program.stderr()).toMatch(says);
    expect(program.stdout()).toBe("");
    expect(started).toBe(false);
  });
});

it("metrics are listened for where METRICS_HOST says, apart from the callers' address", async () => {
  const port = await freePort();
  const place = { METRICS_HOST: "127.0.0.2", METRICS_PORT: String(port) };
  const program = startProgram({ PORT: "0", CHAIN: "ethereum", RPC_URL: "http://127.0.0.1:9", ...place });
  const status = () =>
    fetch(`http://127.0.0.2:${port}/livez`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(status).toBe(200);
  expect(await answers(port)).toBe(false);
  expect(await program.end("SIGTERM")).toBe(0);
});
