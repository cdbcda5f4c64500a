import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { freePort } from "../../fixtures/free-port.ts";
import { type Anvil, startAnvil } from "../../src/devnet/node/anvil.ts";
import { createJsonRpc } from "../../src/devnet/node/json-rpc.ts";

describe("anvil", () => {
  const started: Anvil[] = [];
  const start = async (port: number) => {
    const anvil = await startAnvil({ port });
    started.push(anvil);
    return anvil;
  };
  afterEach(async () => {
    vi.unstubAllGlobals();
    await Promise.all(started.splice(0).map((anvil) => anvil.stop()));
  });

  it("listens on the port that it was given, on loopback, and mines nothing by itself", async () => {
    const port = await freePort();
    const anvil = await start(port);
    expect(anvil).toMatchObject({ port, rpcUrl: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}` });
    const rpc = createJsonRpc(anvil.rpcUrl);
    expect(await rpc.call("eth_chainId")).toBe("0x7a69");
    expect(await rpc.call("anvil_getAutomine")).toBe(false);
  });

  it("finds a free port for each when none was given", async () => {
    const [one, other] = await Promise.all([start(0), start(0)]);
    expect(one.port).not.toBe(other.port);
    expect(one.port).toBeGreaterThan(0);
  });

  it("says which port is taken and how to choose another, and leaves the one who has it alone", async () => {
    const first = await start(0);
    const refusal = (port: number) => new RegExp(`Port ${port} .* taken .* DEVNET_PORT`);
    await expect(startAnvil({ port: first.port })).rejects.toThrow(refusal(first.port));
    expect(await createJsonRpc(first.rpcUrl).call("eth_blockNumber")).toBe("0x0");

    const other = createServer();
    const port = await freePort();
    other.listen(port, "127.0.0.1");
    await once(other, "listening");
    await expect(startAnvil({ port })).rejects.toThrow(refusal(port));
    other.close();
    await once(other, "close");
  });

  describe("on a machine that npm brings none along for", () => {
    beforeEach(() => {
      vi.stubGlobal("process", Object.create(process, { arch: { value: "another" } }));
    });
    afterEach(() => {
      vi.unstubAllEnvs();
    });

    it("is the one on the PATH", async () => {
      const installed = createRequire(import.meta.url).resolve("@foundry-rs/anvil-linux-amd64/bin/anvil");
      vi.stubEnv("PATH", `${dirname(installed)}:${process.env.PATH}`);
      expect(await createJsonRpc((await start(0)).rpcUrl).call("eth_chainId")).toBe("0x7a69");
    });

    it("is asked for where the PATH has none either", async () => {
      vi.stubEnv("PATH", "/nowhere");
      await expect(startAnvil({ port: 0 })).rejects.toThrow(/Foundry .* PATH.* RPC_URL/);
    });
  });

  it("stops exactly its own process and frees the port; stopping twice is fine", async () => {
    const bystander = await start(0);
    const anvil = await start(0);
    await anvil.stop();
    await anvil.stop();
    await anvil.exited;
    expect(isAlive(anvil.pid)).toBe(false);
    expect(isAlive(bystander.pid)).toBe(true);
    expect((await start(anvil.port)).port).toBe(anvil.port);
  });

  it("ends when the process that started it is killed", async () => {
    const module = new URL("../../src/devnet/node/anvil.ts", import.meta.url);
    const parent = spawn(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `import { startAnvil } from ${JSON.stringify(module.href)};
         process.stdout.write((await startAnvil({ port: 0 })).pid + "\\n");`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const [line] = (await once(createInterface({ input: parent.stdout }), "line")) as [string];
    const pid = Number(line);
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000, interval: 50 });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
