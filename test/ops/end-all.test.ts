import { expect, test } from "vitest";
import { endAll } from "../../src/ops/end-all.ts";

test("a part that fails to end keeps no other from it, and is named", async () => {
  const ended: string[] = [];
  const part = (name: string, fault?: string) => async () => {
    ended.push(name);
    if (fault !== undefined) throw new Error(fault);
  };
  const parts = [part("server"), part("makers", "the port is gone"), part("chain", "the disk is full"), part("log")];
  await expect(endAll(parts)).rejects.toThrow("not all parts ended: the port is gone; the disk is full");
  expect(ended).toEqual(["server", "makers", "chain", "log"]);
  await expect(endAll([part("log")])).resolves.toBeUndefined();
});
