import { type Mutant, mutant } from "./mutant.ts";

const PARTIAL_EXACT_IN =
  "            (uint256 used, uint256 made) = _swapLocked(swap);\n            if (used != amount) revert PartialFill(swap.manager);\n";

/** Faults in the executor's core, by the file of contracts/src that has them. */
export const CORE_MUTANTS: Readonly<Record<string, readonly Mutant[]>> = {
  Executor: [
    mutant("anybody may run a route", "if (msg.sender != gateway) revert NotTheGateway(msg.sender);"),
    mutant("native token is taken from anybody", "if (!expected) revert UnexpectedNative(msg.sender);"),
    mutant("native token is not taken from the wrapper", "msg.sender == wrappedNative || ", ""),
    mutant("native token is not taken from an open manager", "msg.sender == openManager || ", ""),
    mutant("native token is not taken from a pool that pays", " || msg.sender == nativeSource;", ";"),
    mutant("a pool may send native token for ever", "        if (venue == CURVE_POOL) nativeSource = address(0);\n"),
    mutant("a payload of no known kind is read as exact-out", "else if (kind == 1) {", "else if (kind != 0) {"),
    mutant(
      "native token that is left over stays here",
      "if (unspent != 0) TokenTransfers.sendNative(gateway, unspent);",
    ),
    mutant("a fill cut short is read", "if (fills.length % FILL != 0) revert InvalidPayload();"),
    mutant("a maker is given more than it takes", "if (amount > most) {", "if (false) {"),
    mutant(
      "what a maker does not take stays here",
      "if (sold != 0) tokens[sold].send(IGateway(gateway).seller(), amount - most);",
    ),
    mutant("what a maker does not take is not for the fills after it", "if (fill.shareOf() == SHARE_ONE) {", "{"),
    mutant("any token goes to the payee", "if (bought != 1) revert InvalidPayload();"),
    mutant("any destination is the executor", "else if (destination != TO_EXECUTOR) {", "else if (false) {"),
    mutant("a token may be left over", "if (left[i] != 0) revert Unspent(tokens[i], left[i]);"),
    mutant(
      "what went to the payee is there to be spent",
      "made += got;\n            else left",
      "made += got;\n            left",
    ),
    mutant("any venue is paid ahead", "if (paid) revert InvalidPayload();"),
    mutant("a pair that was paid is paid again", "if (!paid) _deliver(fromSeller", "_deliver(fromSeller"),
    mutant("a manager may take less", PARTIAL_EXACT_IN, `${PARTIAL_EXACT_IN.split("\n")[0]}\n`),
    mutant(
      "a manager may make less",
      "if (venue != BALANCER_V3_BUFFER && made != amount) revert PartialFill(swap.manager);",
    ),
    mutant(
      "a buffer may make less",
      "if (_closeInLock(swap, cost, amount) != amount) revert PartialFill(pool);",
      "_closeInLock(swap, cost, amount);",
    ),
    mutant("an output may be made in part", "if (needed != 0) revert Unmade(tokenAt(tokens, i), needed);"),
    mutant("where a token goes is remembered for a later swap", "_store(PAID_TO + i, 0);"),
    mutant(
      "a fill may make the sold token or take the bought one",
      "if (sold == 1 || fill.boughtOf() == 0) revert InvalidPayload();",
    ),
    mutant("a fill may be paid straight in any way", "fill.destinationOf() == 1 && fill.soldOf()", "fill.soldOf()"),
    mutant("the sold token may go straight", " && fill.soldOf() != 0 && PAID_STRAIGHT", " && PAID_STRAIGHT"),
    mutant("any venue may be paid straight", " && PAID_STRAIGHT >> fill.venueOf() & 1 != 0;", ";"),
    mutant("who is paid straight is paid again", "if (fill.destinationOf() == 0) _deliver", "_deliver"),
    mutant("a pool that is paid straight is paid again", "if (fill.destinationOf() == 0) tokenAt", "tokenAt"),
    mutant("what a pool asks for is not made", "        _need(fill.soldOf(), amount);\n"),
    mutant(
      "parts of an output are rounded down",
      "(needed * fill.shareOf() + SHARE_ONE - 1) / SHARE_ONE",
      "needed * fill.shareOf() / SHARE_ONE",
    ),
    mutant(
      "the sold token is never the seller's",
      "return fill.soldOf() == 0 && sold != NATIVE_TOKEN;",
      "return false;",
    ),
    mutant(
      "a part draws nothing from the seller",
      "Trade(fill, sold, bought, amount, to, gateway, fromSeller);\n        got",
      "Trade(fill, sold, bought, amount, to, gateway, false);\n        got",
    ),
    mutant(
      "a part brings what it sells for to the executor",
      "Trade(fill, sold, bought, amount, to, gateway, fromSeller);\n        got",
      "Trade(fill, sold, bought, amount, address(this), gateway, fromSeller);\n        got",
    ),
    mutant(
      "a part says how much it sold for and is not heard",
      "got = abi.decode(runPart(partOf(venue), abi.encodeCall(VenuePart.sell, (trade, more))), (uint256));",
      "got = amount; runPart(partOf(venue), abi.encodeCall(VenuePart.sell, (trade, more)));",
    ),
    mutant(
      "a part says what it costs and is not heard",
      "return abi.decode(runPart(partOf(venue), abi.encodeCall(VenuePart.costOf, (trade, more))), (uint256));",
      "runPart(partOf(venue), abi.encodeCall(VenuePart.costOf, (trade, more)));\n        return amount;",
    ),
    mutant(
      "a part is never asked to buy",
      "            runPart(partOf(venue), abi.encodeCall(VenuePart.buy, (trade, more, cost)));\n",
    ),
    mutant(
      "a Curve pool that pays a token may send native token",
      "venue == CURVE_POOL && bought == NATIVE_TOKEN",
      "venue == CURVE_POOL",
    ),
    mutant(
      "any venue may send native token",
      "if (venue == CURVE_POOL && bought == NATIVE_TOKEN) nativeSource",
      "if (bought == NATIVE_TOKEN) nativeSource",
    ),
    mutant(
      "a Curve pool may pay no native token",
      "if (venue == CURVE_POOL && bought == NATIVE_TOKEN) nativeSource = fill.poolOf();",
    ),
  ],
  ExecutorState: [
    mutant(
      "anybody calls back for a pool",
      "bytes32(uint256(uint160(pool)) << 32 | uint32(callback))",
      "bytes32(uint256(uint32(callback)))",
    ),
    mutant(
      "a pool calls back by any name",
      "bytes32(uint256(uint160(pool)) << 32 | uint32(callback))",
      "bytes32(uint256(uint160(pool)))",
    ),
    mutant(
      "an amount beyond a signed number is read as one below zero",
      "if (amount > uint256(type(int256).max)) revert AmountTooLarge(amount);",
    ),
  ],
  PartAddresses: [
    mutant(
      "a venue is traded by another's part",
      "if (venue == RATE_TOKEN) return RATE_TOKENS;",
      "if (venue == RATE_TOKEN) return STABILITY_MODULES;",
    ),
    mutant(
      "a part of another kind trades under a lock",
      "if (venue == BALANCER_V3_BUFFER) return BALANCER_V3;",
      "if (venue == BALANCER_V3_BUFFER) return BALANCER_V2;",
    ),
    mutant("a venue of no number runs a part", "    revert InvalidPayload();\n", "    return ERC4626_VAULTS;\n"),
  ],
  Payload: [mutant("a token has any number", "if (end > tokens.length) revert InvalidPayload();")],
};
