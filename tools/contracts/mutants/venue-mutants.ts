import { type Mutant, mutant } from "./mutant.ts";

const LOCKS_BACK = "        (openManager, openVault, openInfinity) = (manager, vault, infinity);\n";
/** A callback is expected until the swap is over: without this no swap would work, and any test would see that. */
const FORGOTTEN = "expectedCallback = 0;";
const SURPLUS = "        if (got != amount) _giveBack(trade, bought, got - amount);\n";
const burnt = "if (shares.balanceOf(address(this)) + amount != held) revert PartialFill(pool);";

/** Faults in what is compiled into the executor for its most used venues, by file. */
export const COMPILED_IN_MUTANTS: Readonly<Record<string, readonly Mutant[]>> = {
  "venues/Pairs": [
    mutant("a pair is asked for all that it has", "if (amount >= reserveOut) revert InsufficientLiquidity(pool);"),
    mutant(
      "a pair is paid one too little",
      "/ (left * (PPM - fill.detailOf())) + 1",
      "/ (left * (PPM - fill.detailOf()))",
    ),
  ],
  "venues/CallbackPools": [
    mutant("a pool may take less", "if (used != amount) revert PartialFill(pool);"),
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
    mutant("a pool need not call back", "if (expectedCallback != 0) revert CallbackMissing(pool);"),
    mutant(
      "anybody calls back",
      "if (expectedCallback != _callbackFrom(msg.sender, msg.sig)) revert UnexpectedCallback(msg.sender);\n",
    ),
    {
      name: "a pool calls back twice",
      changes: [
        ["        expectedCallback = 0;\n        bytes32 payer_", "        bytes32 payer_"],
        ["if (expectedCallback != 0) revert CallbackMissing(pool);", FORGOTTEN],
      ],
    },
    mutant(
      "a pool asks the executor for more than the most",
      "if (amount > paymentMost) revert",
      "if (payer_ == SELLER && amount > paymentMost) revert",
    ),
    mutant(
      "a pool asks for more than the most",
      "if (amount > paymentMost) revert ExcessivePayment(paymentMost, amount);",
    ),
    mutant("a pool says what is made for it", "if (payer_ != keccak256(data)) revert UnexpectedCallback(msg.sender);"),
    mutant("a pool may ask for nothing", "if (owed <= 0) revert UnexpectedCallback(msg.sender);"),
  ],
  "venues/Locks": [
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
    mutant(
      "what a part asks for under a lock is not heard",
      "return abi.decode(answer, (uint256, uint256));",
      "(, bought) = abi.decode(answer, (uint256, uint256));\n        paid = uint256(swap.amount);",
    ),
    mutant(
      "what a part takes out of a lock is not heard",
      "return abi.decode(runPart(partOf(swap.venue), call_), (uint256));",
      "runPart(partOf(swap.venue), call_);\n        return bought;",
    ),
    mutant(
      "any open lock of Infinity is used",
      "return openInfinity != address(0) && openInfinity == _vaultOf(manager);",
      "return openInfinity != address(0);",
    ),
    mutant(
      "no open lock of Infinity is used again",
      "return openInfinity != address(0) && openInfinity == _vaultOf(manager);",
      "return false;",
    ),
    mutant(
      "an Infinity lock is taken for a lock of Balancer's",
      "else if (_isInfinity(venue)) openInfinity = msg.sender;\n        else if (venue == EKUBO_POOL) openEkubo = msg.sender;\n        else openVault = msg.sender;",
      "else if (venue == EKUBO_POOL) openEkubo = msg.sender;\n        else (openVault, openInfinity) = (msg.sender, msg.sender);",
    ),
    mutant("a lock asks for more than the most", "if (paid > swap.most) revert ExcessivePayment(swap.most, paid);"),
  ],
  "venues/UniswapV4": [
    mutant("a manager may owe nothing", "if (owed <= 0 || gained < 0) revert UnexpectedCallback(swap.manager);"),
  ],
  "venues/Infinity": [
    mutant("native token that Infinity pays out is refused", "nativeSource = openInfinity;"),
    mutant(
      "hooks that are called are left out of the key",
      "bytes32(swap.parameters)",
      "bytes32(swap.parameters >> 16 << 16)",
    ),
  ],
  "venues/Ekubo": [
    mutant("native token that Ekubo pays out is refused", "nativeSource = core;"),
    mutant("a payment of Ekubo's is not begun", "_callCore(core, abi.encodeWithSelector(START_PAYMENTS, swap.sold));"),
    mutant(
      "a payment of Ekubo's is not ended",
      "_callCore(core, abi.encodeWithSelector(COMPLETE_PAYMENTS, swap.sold));",
    ),
    mutant("amounts of Ekubo's are all of token 0", "if (amount > 0 != swap.zeroForOne) params |= 1 << 31;"),
    mutant(
      "the end of a config is left out of the key",
      "ekuboPoolConfigBegin(more) << 24 | configEnd",
      "ekuboPoolConfigBegin(more) << 24",
    ),
  ],
  "venues/Wrapping": [
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
  ],
};

/** Faults in the executor's parts, by file. */
export const PART_MUTANTS: Readonly<Record<string, readonly Mutant[]>> = {
  "venues/LiquidityBook": [
    mutant("what the last unit sold brings more stays here", SURPLUS),
    mutant("a pair is asked for more than it has", "if (left != 0) revert InsufficientLiquidity(pair);"),
    mutant(
      "a pair is asked for what is left of an amount in 128 bits",
      "if (trade.amount > type(uint128).max) revert InsufficientLiquidity(pair);",
    ),
    mutant(
      "X is taken for Y",
      "sellsX ? amounts >> 128 : uint128(amounts)",
      "sellsX ? uint128(amounts) : amounts >> 128",
    ),
    mutant("Y is always sold", "trade.fill.detailOf() != 0", "trade.fill.detailOf() > 1"),
    mutant("what is bought stays here", "if (trade.to != address(this)) bought.send(trade.to, amount);"),
  ],
  "venues/StabilityModules": [
    mutant(
      "what pays for no whole gem is drawn",
      "_draw(trade, cost);\n        if (!trade",
      "_draw(trade, amount);\n        if (!trade",
    ),
    mutant(
      "what pays for no whole gem stays here",
      "if (!trade.fromSeller && cost != amount) _giveBack(trade, trade.sold, amount - cost);",
    ),
    mutant("what the last gem brings more stays here", SURPLUS),
    mutant(
      "a module that sells may leave an approval",
      "IPsm(psm).sellGem(to, gem);\n        _assertDrawn(sold, psm);",
      "IPsm(psm).sellGem(to, gem);",
    ),
    mutant(
      "a module that buys may leave an approval",
      "IPsm(psm).buyGem(trade.to, gem);\n        _assertDrawn(sold, psm);",
      "IPsm(psm).buyGem(trade.to, gem);",
    ),
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
  ],
  VenuePart: [
    mutant(
      "what is surplus goes to the origin",
      "token.send(IGateway(trade.gateway).seller(), amount);",
      "token.send(tx.origin, amount);",
    ),
    mutant(
      "what was here is passed on",
      "got = token.balanceOf(address(this)) - before;",
      "got = token.balanceOf(address(this));",
    ),
    mutant("an approval may be left", "spender) != 0) revert", "spender) == type(uint256).max) revert"),
    mutant("a part is run by anybody", "if (address(this) == part) revert CalledDirectly();"),
    // Either of the two refuses alone.
    {
      name: "a venue without exact outputs makes them",
      changes: [
        ["revert InvalidPayload();\n    }\n\n    function _buy(", "}\n\n    function _buy("],
        ["uint256) internal virtual {\n        revert InvalidPayload();", "uint256) internal virtual {"],
      ],
    },
    mutant("a part that is not there did its work", "if (answer.length == 0) revert PartMissing(part);"),
    mutant("a part that fails did its work", "if (!done) {", "if (false) {"),
    mutant("a part that answers little is not there", "if (answer.length == 0)", "if (answer.length <= 32)"),
    mutant("a part's reason is lost", "revert(add(answer, 32), mload(answer))", "revert(0, 0)"),
    mutant("a part is run as itself", "part.delegatecall(call_)", "part.call(call_)"),
    mutant(
      "a part that bought answers nothing",
      "        paid = cost;\n        _buy(trade, more, cost);\n",
      '        _buy(trade, more, cost);\n        assembly ("memory-safe") { return(0, 0) }\n',
    ),
  ],
  "venues/Erc4626Vaults": [
    mutant(
      "a vault that mints may leave an approval",
      "IVault(vault).mint(amount, trade.to);\n            _assertDrawn(sold, vault);",
      "IVault(vault).mint(amount, trade.to);",
    ),
    mutant(
      "a vault may leave shares",
      "else if (IVault(vault).withdraw(amount, trade.to, address(this)) != cost) {",
      "else if (IVault(vault).withdraw(amount, trade.to, address(this)) == 0) {",
    ),
    mutant("another token's vault is left", "if (trade.sold != vault) revert InvalidPayload();"),
    mutant("a vault may leave an approval", "        _assertDrawn(sold, vault);\n    }", " }"),
    mutant("a vault of other tokens is entered", "if (trade.bought != vault) revert InvalidPayload();"),
  ],
  "venues/MakerOrders": [
    mutant("an order is anybody's to trade", "trader: IGateway(trade.gateway).seller(),", "trader: tx.origin,"),
    mutant("an order that is paid straight is paid again", "if (trade.fill.destinationOf() == 0) _pay", "_pay"),
  ],
  "venues/CurvePools": [
    mutant("shares that were not burnt stay here", burnt),
    mutant("a Curve pool may leave an approval", "        if (value == 0) _assertDrawn(sold, pool);\n"),
    mutant(
      "a Curve pool has functions of no number",
      "else revert InvalidPayload();\n        if (value == 0)",
      "if (value == 0)",
    ),
    mutant("a Curve pool has any number of coins", "else revert InvalidPayload();\n        (bool done", "(bool done"),
    mutant("a Curve pool that refuses a coin took it", "if (!done) {", "if (false) {"),
  ],
  "venues/RateTokens": [
    mutant("a rate token of other tokens is wrapped", "if (bought != token) revert InvalidPayload();"),
    mutant("a rate token may leave an approval", "            _assertDrawn(sold, token);\n"),
  ],
  "venues/AquaOrders": [
    mutant(
      "what lies at the receiver of Aqua's payment counts",
      "balanceOf(trade.to) - before;",
      "balanceOf(trade.to);",
    ),
    mutant("Aqua's router may leave an approval", "        _assertDrawn(trade.sold, router);\n"),
    mutant("an exact output of Aqua is asked for as an input", "EXACT_OUT = 0x0040", "EXACT_OUT = 0x0041"),
  ],
  "venues/PaidPools": [
    mutant("what lies at the receiver counts", "balanceOf(to) - before;", "balanceOf(to);"),
    mutant("what is here is not sent", "        else trade.sold.send(pool, amount);\n"),
    mutant("a pool of DODO sells its base token always", "trade.fill.detailOf() == SELLS_QUOTE", "false"),
    mutant("a pool of WOOFi is asked as one of DODO", "trade.fill.venueOf() == WOOFI_POOL", "false"),
    mutant("a pool of EulerSwap is asked as one of DODO", "trade.fill.venueOf() == EULER_SWAP_POOL", "false"),
    mutant("a pool of EulerSwap is asked for the token sold", "trade.sold < trade.bought", "trade.sold > trade.bought"),
    mutant(
      "a pool of WOOFi has exact outputs",
      "if (trade.fill.venueOf() != EULER_SWAP_POOL) revert InvalidPayload();",
    ),
    mutant(
      "an exact output may be less",
      "        if (bought.balanceOf(to) - before < trade.amount) revert PartialFill(trade.fill.poolOf());\n",
    ),
    mutant("an exact output may be free", "        if (cost == 0) cost = 1;\n"),
  ],
  "venues/KuruMarkets": [
    mutant("what lies in the executor counts", "_passOn(bought, before, trade.to)", "_passOn(bought, 0, trade.to)"),
    mutant("a market of Kuru may leave an approval", "            _assertDrawn(sold, market);\n"),
    mutant(
      "what is less than a part stays in the executor",
      "            if (counted != trade.amount) sold.send(trade.fill.poolOf(), trade.amount - counted);\n",
    ),
    mutant("the base token is sold always", "trade.fill.detailOf() >> 16 != 0", "true"),
    mutant(
      "an order may be filled in part",
      "(size, 0, false, true);\n        } else",
      "(size, 0, false, false);\n        } else",
    ),
    mutant("sizes of too many bits are cut", "        if (size > type(uint96).max) revert PartialFill(market);\n"),
  ],
  "venues/MaverickPools": [
    mutant("what lies at the receiver counts", "balanceOf(to) - before;", "balanceOf(to);"),
    mutant("what is here is not sent", "        else trade.sold.send(pool, amount);\n"),
    mutant("a pool may keep what it does not take", "if (taken != trade.amount) revert PartialFill(pool);"),
    mutant("token B is sold always", "detail & SELLS_A != 0", "false"),
    mutant(
      "ticks below zero are none",
      "int256(detail & (SELLS_A - 1)) + LOWEST_TICK",
      "int256(detail & (SELLS_A - 1))",
    ),
    mutant("any refusal is a cost", "reason.length != 68 || bytes4(reason) != SwapAmounts.selector", "false"),
  ],
  "venues/PropAmms": [
    mutant("a proprietary AMM may leave an approval", "            _assertDrawn(sold, venue);\n"),
    mutant(
      "a proprietary AMM is paid in a way that there is none of",
      "            if (trade.fill.detailOf() != DRAWS) revert InvalidPayload();\n",
    ),
    mutant("what lies at the receiver counts", "balanceOf(trade.to) - before;", "balanceOf(trade.to);"),
    mutant("what is here is not sent", "            else sold.send(venue, amount);\n"),
    mutant(
      "a proprietary AMM that draws is sent what is sold",
      "trade.fill.detailOf() == IS_SENT",
      "trade.fill.detailOf() <= DRAWS",
    ),
    mutant("a swap is too late for those that count seconds", "block.timestamp + 1", "block.timestamp - 1"),
  ],
  "venues/BalancerV2": [
    mutant(
      "Balancer's vault may leave an approval",
      "if (approves) _assertDrawn(sold, vault);\n        else if",
      "if (approves) {} else if",
    ),
    mutant(
      "Balancer's vault may take less of a share",
      "if (kind == GIVEN_OUT && calculated != most) revert PartialFill(vault);",
      "if (false) {}",
    ),
    mutant(
      "Balancer's vault is always approved",
      "bool approves = IERC20(sold).allowance(address(this), vault) < most;",
      "bool approves = true;",
    ),
  ],
  "venues/BalancerV3": [
    mutant(
      "an exact output of a buffer is paid one too little",
      "vault.previewMint(amount)) + 1;",
      "vault.previewMint(amount));",
    ),
    mutant(
      "a buffer pays what was said before it traded",
      "if (swap.venue == BALANCER_V3_BUFFER) bought = _swapInBuffer(swap, paid);",
      "if (swap.venue == BALANCER_V3_BUFFER) _swapInBuffer(swap, paid);",
    ),
  ],
};
