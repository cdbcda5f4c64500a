import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answers, FROM_SOURCES, freePort, isTaken, type Program, startProgram } from "../support/process/program.ts";

const shell = promisify(execFile);

type Ports = Readonly<Record<"PORT" | "DEVNET_PORT" | "METRICS_PORT", string>>;

async function freePorts(): Promise<Ports> {
  const [port, devnet, metrics] = [await freePort(), await freePort(), await freePort()];
  return { PORT: String(port), DEVNET_PORT: String(devnet), METRICS_PORT: String(metrics) };
}

describe("npm start", () => {
  let ports: Ports;
  let program: Program;

  beforeAll(async () => {
    ports = await freePorts();
    program = startProgram({ ...ports, TRIBUTARY_API_KEY: "a-key-of-my-own" }, FROM_SOURCES);
  });
  afterAll(() => program.end("SIGKILL"));

  it("says where it is, the key, and a request that works as it is printed", async () => {
    const [line] = await program.prints(/^curl .*$/m);
    expect(program.stdout()).toContain(`http://127.0.0.1:${ports.PORT}`);
    expect(program.stdout()).toContain("API key: a-key-of-my-own");
    const [, page = ""] = /^Console: (\S+)$/m.exec(program.stdout()) ?? [];
    expect(new URL(page).hash).toBe("#key=a-key-of-my-own");
    expect(await (await fetch(page)).text()).toContain("<html");
    const { stdout } = await shell("sh", ["-c", line]);
    expect(JSON.parse(stdout)).toMatchObject({ chainId: 31337, sellAmount: "1000000000000000000" });
  });

  it("follows the devnet: later answers name later blocks", async () => {
    const blockNumber = async () => {
      const answer = await fetch(`http://127.0.0.1:${ports.PORT}/swap/v1/sources`, {
        headers: { "api-key": "a-key-of-my-own" },
      });
      const { sources } = (await answer.json()) as { sources: { blockNumber: string }[] };
      return Number(sources[0]?.blockNumber);
    };
    const first = await blockNumber();
    await expect.poll(blockNumber, { interval: 200 }).toBeGreaterThan(first);
  });

  it("shows metrics, and whether it is ready, on a port of their own", async () => {
    const on = `http://127.0.0.1:${ports.METRICS_PORT}`;
    const metrics = await (await fetch(`${on}/metrics`)).text();
    expect(metrics).toContain("tributary_api_requests_total");
    expect(metrics).toMatch(/^tributary_api_searches_waiting \d+$/m);
    const readiness = async () => (await fetch(`${on}/readyz`)).json();
    await expect.poll(readiness).toEqual({ ready: true });
  });

  it("says which port is taken when it is started again", async () => {
    for (const [name, free] of [["PORT", {}] as const, ["METRICS_PORT", { PORT: "0" }] as const]) {
      const again = startProgram({ ...ports, ...free });
      expect(await again.end()).toBe(2);
      expect(again.stderr()).toContain(`${name}: port ${ports[name]} is taken`);
    }
    const elsewhere = startProgram({ ...ports, PORT: "0", METRICS_PORT: "0" });
    expect(await elsewhere.end()).toBe(1);
    expect(elsewhere.stderr()).toContain(ports.DEVNET_PORT);
    expect(elsewhere.stderr()).toContain("DEVNET_PORT");
  });

  it("ends everything that it started with Ctrl-C, and says so on the port for probes as long as a call is under way", async () => {
    const call = connect(Number(ports.PORT), "127.0.0.1");
    await once(call, "connect");
    await new Promise((resolve) => call.write("GET /swap/v1/price HTTP/1.1\r\nhost: here\r\n", resolve));
    const end = program.end("SIGINT");
    const readiness = async () => (await fetch(`http://127.0.0.1:${ports.METRICS_PORT}/readyz`)).json();
    await expect.poll(readiness).toMatchObject({ ready: false, reason: "the service is shutting down" });
    call.destroy();
    expect(await end).toBe(0);
    expect(program.stderr()).not.toContain("has ended by itself");
    for (const port of Object.values(ports)) expect(await isTaken(Number(port)), port).toBe(false);
  });

  it("ends with the signal that npm itself is sent, as by a supervisor", async () => {
    // Somebody else may have taken those of before.
    const others = await freePorts();
    const byNpm = startProgram(others, ["npm", "start"]);
    await byNpm.prints(/^curl .*$/m);
    await byNpm.end("SIGTERM");
    expect(byNpm.stderr()).toContain('"msg":"stopping"');
    for (const port of Object.values(others)) expect(await isTaken(Number(port)), port).toBe(false);
  });
});

it("a signal ends a start that is not done, and what it has started with it", async () => {
  const devnet = await freePort();
  const program = startProgram({ PORT: "0", DEVNET_PORT: String(devnet) });
  await expect.poll(() => answers(devnet), { interval: 20 }).toBe(true);
  expect(await program.end("SIGTERM")).toBe(0);
  expect(program.stdout()).toBe("");
  await expect.poll(() => answers(devnet)).toBe(false);
});

it("a devnet whose reference maker or node ends by itself is told of in the log", async () => {
  const program = startProgram({ PORT: "0", DEVNET_PORT: "0" });
  await program.prints(/^curl /m);
  const endChild = async (name: string) => {
    const of = `ps -eo pid,ppid,args | awk '$2 == ${program.process.pid} && /${name}/ { print $1 }'`;
    const { stdout: pid } = await shell("sh", ["-c", of]);
    process.kill(Number(pid), "SIGKILL");
  };
  expect(program.stderr()).not.toContain("has ended by itself");
  await endChild("maker-process");
  await expect.poll(program.stderr).toContain("the reference maker has ended by itself");
  await endChild("anvil");
  await expect.poll(program.stderr).toContain("the devnet's node has ended by itself");
  expect(await program.end("SIGTERM")).toBe(0);
});
