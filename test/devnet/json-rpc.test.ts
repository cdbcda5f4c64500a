import { describe, expect, it } from "vitest";
import { GENESIS_TIMESTAMP } from "../../src/devnet/devnet.ts";
import { createJsonRpc, RpcError } from "../../src/devnet/node/json-rpc.ts";
import { useAnvil } from "../support/worlds/anvil.ts";

describe("JSON-RPC to the node", () => {
  const { anvil, rpc } = useAnvil();

  it("answers a batch in the order of its calls", async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    for (const _ of numbers) await rpc().call("evm_mine");
    const blocks = await rpc().batch<{ number: string; timestamp: string }>(
      numbers.map((number) => ({ method: "eth_getBlockByNumber", params: [`0x${number.toString(16)}`, false] })),
    );
    expect(blocks.map((block) => Number(block.number))).toEqual(numbers);
    expect(blocks.map((block) => Number(block.timestamp) - GENESIS_TIMESTAMP)).toEqual(numbers.map((n) => 2 * n));
    expect(await rpc().batch([])).toEqual([]);
  });

  it("throws what the node complains about, with the method", async () => {
    const failing = rpc().call("eth_noSuchThing");
    await expect(failing).rejects.toThrow(RpcError);
    await expect(failing).rejects.toMatchObject({ code: -32601, message: expect.stringMatching(/^eth_noSuchThing: /) });
    await expect(createJsonRpc(`${anvil().rpcUrl}1`).call("eth_chainId")).rejects.toThrow();
  });
});
