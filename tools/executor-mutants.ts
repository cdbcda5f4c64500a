import { type Mutant, mutant } from "./mutant.ts";

const LOCKS_BACK = "        (openManager, openVault) = (manager, vault);\n";
/** A callback is expected until the swap is over: without this no swap would work, and any test would see that. */
const FORGOTTEN = "expectedCallback = 0;";
const SURPLUS = "            if (got != amount) _giveBack(bought, got - amount);\n";
const PARTIAL_EXACT_IN =
  "            (uint256 used, uint256 made) = _swapLocked(swap);\n            if (used != amount) revert PartialFill(swap.manager);\n";

/** Faults in Executor.sol. */
export const EXECUTOR_MUTANTS: readonly Mutant[] = [
  mutant("anybody may run a route", "if (msg.sender != gateway) revert NotTheGateway(msg.sender);"),
  mutant("native token is taken from anybody", "if (!expected) revert UnexpectedNative(msg.sender);"),
  mutant("native token is not taken from the wrapper", "msg.sender == wrappedNative || ", ""),
  mutant("native token is not taken from an open manager", "msg.sender == openManager || ", ""),
  mutant("native token is not taken from a pool that pays", " || msg.sender == nativeSource;", ";"),
  mutant("a pool may send native token for ever", "            nativeSource = address(0);\n"),
  mutant("a payload of no known kind is read as exact-out", "else if (kind == 1) {", "else if (kind != 0) {"),
  mutant("native token that is left over stays here", "if (unspent != 0) TokenTransfers.sendNative(gateway, unspent);"),

  mutant("a lock calls back with anything", " && unlockData == keccak256(data)", ""),
  mutant(
    "anybody calls back as a lock",
    "expectedCallback == _callbackFrom(msg.sender, msg.sig) && unlockData",
    "unlockData",
  ),
  {
    name: "a lock calls back twice",
    changes: [
      [
        "if (!expected) revert UnexpectedCallback(msg.sender);\n        expectedCallback = 0;\n",
        "if (!expected) revert UnexpectedCallback(msg.sender);\n",
      ],
      ["if (expectedCallback != 0) revert CallbackMissing(manager);", FORGOTTEN],
    ],
  },
  mutant("a lock that is closed is taken for open", LOCKS_BACK),
  mutant(
    "any open lock is used",
    "(venue == V4_POOL ? openManager : openVault) == manager",
    "(venue == V4_POOL ? openManager : openVault) != address(0)",
  ),
  mutant(
    "no open lock is used again",
    "return (venue == V4_POOL ? openManager : openVault) == manager;",
    "return false;",
  ),
  mutant("a lock need not call back", "if (expectedCallback != 0) revert CallbackMissing(manager);"),
  mutant("a lock asks for more than the most", "if (paid > swap.most) revert ExcessivePayment(swap.most, paid);"),
  mutant("a manager may owe nothing", "if (owed <= 0 || gained < 0) revert UnexpectedCallback(swap.manager);"),

  mutant("a fill cut short is read", "if (fills.length % FILL != 0) revert InvalidPayload();"),
  mutant(
    "a maker is given more than it takes",
    "if (fill.venueOf() == MAKER_ORDER && amount > _takerAmountOf(more)) {",
    "if (false) {",
  ),
  mutant("what a maker does not take stays here", "if (sold != 0) _giveBack(tokens[sold], excess);"),
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
  mutant("a pool may take less", "if (used != amount) revert PartialFill(pool);"),
  mutant("a manager may make less", "if (venue != BALANCER_V3_BUFFER && made != amount) revert PartialFill(pool);"),
  mutant(
    "a buffer may make less",
    "if (_closeInLock(swap, cost, amount) != amount) revert PartialFill(pool);",
    "_closeInLock(swap, cost, amount);",
  ),
  mutant(
    "a pool that the seller pays may make less",
    "SELLER, to);\n        if (made != amount) revert PartialFill(pool);",
    "SELLER, to);",
  ),
  mutant(
    "a pool may make less",
    "if (uint256(-(zeroForOne ? amount1 : amount0)) != amount) revert PartialFill(fill.poolOf());",
  ),
  mutant(
    "a pool for which something is made need not call back",
    "if (expectedCallback != 0) revert CallbackMissing(fill.poolOf());",
  ),
  mutant(
    "what pays for no whole gem is drawn",
    "IGateway(gateway).pull(address(this), cost);\n        else if",
    "IGateway(gateway).pull(address(this), amount);\n        else if",
  ),
  mutant("what pays for no whole gem stays here", "else if (cost != amount) _giveBack(sold, amount - cost);"),
  mutant("what the last gem brings more stays here", SURPLUS),
  mutant(
    "what is surplus goes to the origin",
    "token.send(IGateway(gateway).seller(), amount);",
    "token.send(tx.origin, amount);",
  ),
  mutant("an output may be made in part", "if (needed != 0) revert Unmade(_tokenAt(tokens, i), needed);"),
  mutant("where a token goes is remembered for a later swap", "_store(PAID_TO + i, 0);"),
  mutant(
    "a fill may make the sold token or take the bought one",
    "if (sold == 1 || fill.boughtOf() == 0) revert InvalidPayload();",
  ),
  mutant("a fill may be paid straight in any way", "fill.destinationOf() == 1 && fill.soldOf()", "fill.soldOf()"),
  mutant("the sold token may go straight", " && fill.soldOf() != 0 && PAID_STRAIGHT", " && PAID_STRAIGHT"),
  mutant("any venue may be paid straight", " && PAID_STRAIGHT >> fill.venueOf() & 1 != 0;", ";"),
  mutant("who is paid straight is paid again", "if (fill.destinationOf() == 0) _deliver", "_deliver"),
  mutant("a pool that is paid straight is paid again", "if (fill.destinationOf() == 0) _tokenAt", "_tokenAt"),
  mutant("what a pool asks for is not made", "        _need(fill.soldOf(), amount);\n"),
  mutant("a token has any number", "if (end > tokens.length) revert InvalidPayload();"),
  mutant(
    "parts of an output are rounded down",
    "(needed * fill.shareOf() + SHARE_ONE - 1) / SHARE_ONE",
    "needed * fill.shareOf() / SHARE_ONE",
  ),
  mutant("a pair is asked for all that it has", "if (amount >= reserveOut) revert InsufficientLiquidity(pool);"),
  mutant(
    "a pair is paid one too little",
    "/ (left * (PPM - fill.detailOf())) + 1",
    "/ (left * (PPM - fill.detailOf()))",
  ),
  mutant(
    "a vault may leave an approval",
    "IVault(vault).mint(amount, to);\n            DrawnVenues.assertDrawn(sold, vault);",
    "IVault(vault).mint(amount, to);",
  ),
  mutant(
    "a vault may leave shares",
    "else if (IVault(vault).withdraw(amount, to, address(this)) != cost) {",
    "else if (IVault(vault).withdraw(amount, to, address(this)) == 0) {",
  ),
  mutant("another token's vault is left", "if (sold != pool) revert InvalidPayload();"),
  mutant("a venue without exact outputs makes them", "if (venue != PSM) revert InvalidPayload();"),
  mutant("an order is anybody's to trade", "trader: IGateway(gateway).seller(),", "trader: tx.origin,"),

  mutant("a pool need not call back", "if (expectedCallback != 0) revert CallbackMissing(pool);"),
  mutant(
    "anybody calls back",
    "if (expectedCallback != _callbackFrom(msg.sender, msg.sig)) revert UnexpectedCallback(msg.sender);\n",
  ),
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
  {
    name: "a pool calls back twice",
    changes: [
      ["        expectedCallback = 0;\n        bytes32 payer_", "        bytes32 payer_"],
      ["if (expectedCallback != 0) revert CallbackMissing(pool);", FORGOTTEN],
    ],
  },
  mutant(
    "a pool asks for more than the most",
    "if (amount > paymentMost) revert ExcessivePayment(paymentMost, amount);",
  ),
  mutant("a pool says what is made for it", "if (payer_ != keccak256(data)) revert UnexpectedCallback(msg.sender);"),
  mutant("a pool may ask for nothing", "if (owed <= 0) revert UnexpectedCallback(msg.sender);"),
  mutant(
    "any token is unwrapped",
    "else if (sold == wrapped && bought == NATIVE_TOKEN) IWrapped",
    "else if (sold == wrapped) IWrapped",
  ),
  mutant(
    "the wrapper gives anything",
    "} else if (sold == wrapped && bought == NATIVE_TOKEN) IWrapped",
    "} else if (bought == NATIVE_TOKEN) IWrapped",
  ),
  mutant(
    "an amount beyond a signed number is read as one below zero",
    "if (amount > uint256(type(int256).max)) revert AmountTooLarge(amount);",
  ),
];

const burnt = "if (sold.balanceOf(address(this)) + amount != held) revert PartialFill(pool);";

/** Faults in DrawnVenues.sol, which is a part of the executor. */
export const DRAWN_MUTANTS: readonly Mutant[] = [
  mutant("shares that were not burnt stay here", burnt),
  mutant("a Curve pool may leave an approval", "        if (value == 0) assertDrawn(sold, pool);\n"),
  mutant(
    "a Curve pool has functions of no number",
    "else revert InvalidPayload();\n        if (value == 0)",
    "if (value == 0)",
  ),
  mutant("a Curve pool has any number of coins", "else revert InvalidPayload();\n        (bool done", "(bool done"),
  mutant("a Curve pool that refuses a coin took it", "if (!done) {", "if (false) {"),
  mutant("a vault may leave an approval", "        assertDrawn(sold, vault);\n    }", " }"),
  mutant("a vault of other tokens is entered", "if (bought != vault) revert InvalidPayload();"),
  mutant("a rate token of other tokens is wrapped", "if (bought != token) revert InvalidPayload();"),
  mutant("a rate token may leave an approval", "            assertDrawn(sold, token);\n"),
  mutant(
    "a module that sells may leave an approval",
    "IPsm(psm).sellGem(to, gem);\n        assertDrawn(sold, psm);",
    "IPsm(psm).sellGem(to, gem);",
  ),
  mutant(
    "a module that buys may leave an approval",
    "IPsm(psm).buyGem(to, gem);\n        assertDrawn(sold, psm);",
    "IPsm(psm).buyGem(to, gem);",
  ),
  mutant(
    "Balancer's vault may leave an approval",
    "if (approves) assertDrawn(sold, vault);\n        else if",
    "if (approves) {} else if",
  ),
  mutant(
    "Balancer's vault may take less of a share",
    "if (kind == 1 && calculated != most) revert PartialFill(vault);",
    "if (false) {}",
  ),
  mutant(
    "Balancer's vault is always approved",
    "bool approves = IERC20(sold).allowance(address(this), vault) < most;",
    "bool approves = true;",
  ),
  mutant(
    "what was here is passed on",
    "got = token.balanceOf(address(this)) - before;",
    "got = token.balanceOf(address(this));",
  ),
  mutant("an approval may be left", "spender) != 0) revert", "spender) == type(uint256).max) revert"),
  mutant(
    "one gem too many is paid for",
    "gem = ((dai + 1) * WAD - 1) / (WAD + fee) / unit;",
    "gem = (dai * WAD) / WAD / unit;",
  ),
  mutant(
    "one gem too few is sold",
    "(dai - 1) * WAD / (WAD - IPsm(psm).tin()) + 1",
    "(dai - 1) * WAD / (WAD - IPsm(psm).tin())",
  ),
];
