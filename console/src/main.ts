import { createSwapClient, createWebTransport, SwapCallError, type SwapClient } from "../../src/client/index.ts";
import { createPalette } from "./answer/answer-view.ts";
import { canTrade, Desk } from "./desk.ts";
import { forgetKey, rememberKey, takeKey } from "./page/address-bar.ts";
import { askForKey } from "./page/key-form.ts";
import { readServed } from "./page/served.ts";
import { followTheme } from "./page/theme.ts";
import { onLeave, show } from "./page/view.ts";

const NOT_ACCEPTED = "The service does not accept this key. Enter another one.";
const FORGOTTEN = "The key is forgotten. Enter one to go on.";
const NOT_REACHED = "The service cannot be reached. It is asked again every few seconds.";
const NO_TOKENS = "The service is still reading the chain's tokens. It is asked again every few seconds.";
/** Pause before a service that did not answer is asked again. */
const AGAIN_MS = 2_000;

/** Starts the console for a key. Resolves when another is needed, with a sentence that says why. */
async function trade(client: SwapClient): Promise<string> {
  const [served, { records }] = await Promise.all([servedTokens(), client.sources()]);
  return new Promise((resolve, reject) => {
    const desk = new Desk(client, served, createPalette(records), (why) => {
      resolve(why === "refused" ? NOT_ACCEPTED : FORGOTTEN);
    });
    desk.start().catch(reject);
  });
}

/** Waits until the service has tokens to trade, and answers them with the chain. */
async function servedTokens() {
  for (;;) {
    const served = await readServed();
    if (canTrade(served)) return served;
    await wait(NO_TOKENS);
  }
}

/** Says why there is nothing yet, and resolves when the service is to be asked again. */
function wait(why: string): Promise<void> {
  show("empty", why);
  onLeave(() => {
    forgetKey();
    location.reload();
  });
  return new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
}

// Another link in the same tab: its key and its swap are taken up from the start.
addEventListener("hashchange", () => location.reload());

followTheme();
let why = "The service prints it when it starts, with a link that holds it already.";
for (let key = takeKey(); ; ) {
  key ??= await askForKey(why);
  rememberKey(key);
  show("loading");
  try {
    why = await trade(createSwapClient({ transport: createWebTransport(location.origin), apiKey: key }));
  } catch (error) {
    // A key that no header can carry is no key of the service.
    const isNoKey = error instanceof RangeError;
    if (!isNoKey && (!(error instanceof SwapCallError) || error.isRetryable)) {
      // No fault of the key's, which may be the only copy that somebody has.
      await wait(NOT_REACHED);
      continue;
    }
    why = isNoKey || error.kind === "UNAUTHENTICATED" ? NOT_ACCEPTED : error.message;
  }
  forgetKey();
  key = undefined;
}
