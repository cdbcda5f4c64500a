import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetChainResponseSchema, ListTokensRequest, ListTokensResponseSchema } from "#gen/swap/v1/tokens_pb.ts";
import type { ServedChain } from "../../quoting/tokens/served-chain.ts";
import type { TokenDirectory } from "../../quoting/tokens/token-directory.ts";
import { unitsOfLookUps } from "../limits/call-costs.ts";
import { invalidParameters, violationOf } from "../parameters/parse-request.ts";
import { cursorOf, parseTokensRequest } from "../parameters/tokens-request.ts";
import type { Call } from "./call.ts";
import { chainResponse, tokensResponse } from "./token-messages.ts";

/** The methods about tokens and the chain behind every protocol. They throw SwapError. */
export interface TokenCalls {
  listTokens(request: ListTokensRequest, call: Call): Promise<MessageInitShape<typeof ListTokensResponseSchema>>;
  getChain(request: object, call: Call): Promise<MessageInitShape<typeof GetChainResponseSchema>>;
}

/** Parts that answer these calls. */
export interface TokenCallParts {
  readonly directory: TokenDirectory;
  /** The chain as it stands now. */
  chain(): ServedChain;
}

export function createTokenCalls({ directory, chain }: TokenCallParts): TokenCalls {
  return {
    async listTokens(raw, call) {
      const query = parseTokensRequest(raw, call);
      await call.charge?.(unitsOfLookUps(directory.lookUps(query)));
      const page = await directory.list(query);
      const search = query.kind === "page" ? query.search : undefined;
      return tokensResponse(page, page.next === undefined ? undefined : cursorOf(page.next, search));
    },
    async getChain(_, call) {
      if (call.problems.length > 0) throw invalidParameters(call.problems.map(violationOf));
      return chainResponse(chain(), Date.now());
    },
  };
}
