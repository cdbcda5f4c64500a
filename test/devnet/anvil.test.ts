import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Anvil, startAnvil } from "../../src/devnet/anvil.ts";
import { createJsonRpc } from "../../src/devnet/json-rpc.ts";

const PORT = 20_240;
const SECOND_PORT = 20_241;

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
    const anvil = await start(PORT);
    expect(anvil).toMatchObject({ port: PORT, rpcUrl: `http://127.0.0.1:${PORT}`, wsUrl: `ws://127.0.0.1:${PORT}` });
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
    const first = await start(PORT);
    await expect(startAnvil({ port: PORT })).rejects.toThrow(/Port 20240 .* taken .* DEVNET_PORT/s);
    expect(await createJsonRpc(first.rpcUrl).call("eth_blockNumber")).toBe("0x0");

    const other = createServer();
    other.listen(SECOND_PORT, "127.0.0.1");
    await once(other, "listening");
    await expect(startAnvil({ port: SECOND_PORT })).rejects.toThrow(/Port 20241 .* taken/);
    other.close();
    await once(other, "close");
  });

  it("stops exactly its own process and frees the port; stopping twice is fine", async () => {
    const bystander = await start(0);
    const anvil = await start(PORT);
    await anvil.stop();
    await anvil.stop();
    await anvil.exited;
    expect(isAlive(anvil.pid)).toBe(false);
    expect(isAlive(bystander.pid)).toBe(true);
    expect((await start(PORT)).port).toBe(PORT);
  });

  it("ends when the process that started it is killed", async () => {
    const module = new URL("../../src/devnet/anvil.ts", import.meta.url);
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

  it("names the missing package on a platform that npm installed no anvil for", async () => {
    vi.stubGlobal("process", Object.create(process, { arch: { value: "mips" } }));
    await expect(startAnvil({ port: 0 })).rejects.toThrow(/@foundry-rs\/anvil-linux-mips is not installed.*RPC_URL/s);
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
