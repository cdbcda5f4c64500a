import type { DescMethod } from "@bufbuild/protobuf";
import { refuse, SwapError } from "../domain/errors/swap-error.ts";
import { beginCall } from "../ops/spans.ts";
import type { Exchange } from "./calls/call.ts";
import type { Visit } from "./connections/listener.ts";
import type { Request, Response } from "./http/messages.ts";
import { authenticate, authorize } from "./keys/authorize.ts";
import type { Account, KeyStore } from "./keys/key-store.ts";
import type { ChargeCall } from "./limits/charge.ts";
import type { Keyless } from "./limits/keyless.ts";
import type { WrongKeys } from "./limits/wrong-keys.ts";

/** Services whose calls need no key: health and reflection. */
const OPEN_SERVICES = /^grpc\./;

/** Pages that whoever runs the service looks at all the time. */
const PROBES = /^\/(livez|readyz)(\?|$)/;

/** Caller of a request, as far as its key tells. */
export interface Caller {
  readonly lookUp: () => Account;
  refusal?: SwapError;
}

/** A call that its method is known of, with who makes it. */
interface Admitted {
  readonly method: DescMethod;
  readonly visit: Visit;
  readonly caller: Caller;
}

export interface AdmissionParts {
  readonly keys: KeyStore;
  readonly wrongKeys: WrongKeys;
  readonly keyless: Keyless;
  readonly charge: ChargeCall;
}

/** Knows callers by their keys, or by their networks without one, and charges them for what they ask. */
export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Notes whose key a request brings. One without a valid key is charged to its network, whatever it asks for.
   * @throws SwapError when the network has sent too many of these
   */
  identify(request: Request, response: Response, exchange: Exchange, visit: Visit): Caller {
    const { keys, wrongKeys, keyless } = this.#parts;
    const { network } = visit;
    const key = request.headers["api-key"];
    const keyText = Array.isArray(key) ? key.join() : key;
    const caller: Caller = { lookUp: () => authenticate(keys, keyText) };
    exchange.chargeKeyless = (kind) => {
      try {
        if (visit.isResetting()) throw tooManyResets();
        keyless.charge(network, kind);
      } catch (refusal) {
        visit.endWith(response);
        throw refusal;
      }
    };
    if (keyText) {
      try {
        exchange.account = wrongKeys.guard(network, caller.lookUp);
        visit.welcome(exchange.account.keyId);
        return caller;
      } catch (error) {
        if (!(error instanceof SwapError)) throw error;
        caller.refusal = error;
      }
    }
    exchange.chargeKeyless(PROBES.test(request.url ?? "") ? "probe" : "page");
    return caller;
  }

  /** Charges for a call and counts what it opens, or notes why it is refused. */
  async admit(
    request: Request,
    response: Response,
    exchange: Exchange,
    { method, visit, caller }: Admitted,
  ): Promise<void> {
    const { protocol, requestId } = exchange;
    exchange.operation = `${method.parent.typeName}/${method.name}`;
    if (isOpen(method)) {
      if (method.methodKind !== "unary") exchange.chargeKeyless?.("stream");
      return this.#openStream(response, method, visit);
    }
    exchange.span = beginCall(exchange.operation, request.headers, { protocol, requestId });
    exchange.method = method.name;
    const { origin } = request.headers;
    exchange.recheck = () => authorize(caller.lookUp(), { method: method.name, origin });
    try {
      if (caller.refusal !== undefined) throw caller.refusal;
      const account = exchange.account ?? caller.lookUp();
      authorize(account, { method: method.name, origin });
      this.#openStream(response, method, visit);
      const charging = this.#parts.charge(account, method.name);
      const charged = charging instanceof Promise ? await charging : charging;
      exchange.units = charged.units;
      setHeaders(response, charged.headers);
      exchange.charge = async (asked) => {
        if (asked === 0) return;
        const { units, headers, refusal } = await charged.more(asked);
        exchange.units = (exchange.units ?? 0) + units;
        setHeaders(response, headers);
        if (refusal !== undefined) throw refusal;
      };
      exchange.settle = async (steps) => {
        const { units, headers } = await charged.settle(steps);
        exchange.units = (exchange.units ?? 0) + units;
        if (!response.headersSent && !response.destroyed) setHeaders(response, headers);
      };
      if (charged.refusal !== undefined) exchange.refusal = charged.refusal;
    } catch (error) {
      if (!(error instanceof SwapError)) throw error;
      exchange.refusal = error;
    }
  }

  /** Counts a stream that stays open. @throws SwapError when there is no room for it */
  #openStream(response: Response, method: DescMethod, { connection, network }: Visit): void {
    if (method.methodKind === "unary") return;
    const needsKey = !isOpen(method);
    response.once("close", this.#parts.keyless.openStream({ connection: connection.id, network, needsKey }));
    if (!needsKey) connection.beginKeylessStream(response);
  }
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function tooManyResets(): SwapError {
  const message =
    "too many HTTP/2 streams were reset or refused from this network address - wait for answers, or send a key";
  return refuse("TOO_MANY_RESETS", message);
}

function isOpen({ parent }: DescMethod): boolean {
  return OPEN_SERVICES.test(parent.typeName);
}
