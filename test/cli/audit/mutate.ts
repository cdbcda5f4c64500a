/** Loaded before a program (`node --import`): puts the faults that MUTANTS numbers into the maths as they are loaded. */
import { registerHooks } from "node:module";
import { MUTANTS } from "./mutants.ts";

const chosen = (process.env.MUTANTS ?? "").split(",").map((number) => {
  const mutant = MUTANTS[Number(number)];
  if (mutant === undefined) throw new Error(`there is no fault ${number}`);
  return mutant;
});

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const mutant = chosen.find(({ file }) => url.endsWith(`/src/pools/${file}`));
    if (mutant === undefined) return loaded;
    const parts = Buffer.from(loaded.source as Uint8Array)
      .toString()
      .split(mutant.from);
    if (parts.length !== 2) throw new Error(`${mutant.file} has not exactly once: ${mutant.from}`);
    return { ...loaded, source: parts.join(mutant.to) };
  },
});
