import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRouter } from "../../src/routing/create-router.ts";

/** Factory of routers in another checkout; in this one without its folder. */
export async function routerOf(checkout: string | undefined): Promise<typeof createRouter> {
  if (checkout === undefined) return createRouter;
  const file = pathToFileURL(resolve(checkout, "src/routing/create-router.ts")).href;
  const theirs = (await import(file)) as { readonly createRouter: typeof createRouter };
  return theirs.createRouter;
}
