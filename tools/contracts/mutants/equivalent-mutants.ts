const LONGER = "A fixed number of bytes is made of the first ones of a slice.";
const SAME_TOKEN = "Two tokens that are traded are never one: the gateway refuses it, and no venue does it.";
const SENDS_NOTHING = "To send nothing changes nothing but gas.";
const TO_ITSELF = "A token that is sent to where it is has not moved.";
const EQUAL = "Of two equal amounts either is the smaller, and their difference is nothing.";
const NO_VALUE = "Who buys native token sells another one, so that no value comes along: both ways give one amount.";
const UNREAD = "The part of a venue that has no further fills reads none of them.";
const SCRATCH = "The first two words of memory are nobody's between two statements.";
const NOT_SENT = "What lies behind the bytes that are sent is not read, and an offset of none says nothing.";
const ONE_WORD = "Only an answer of a whole word counts, which has replaced what lay there.";
const NO_NONCE = "A token that answers no nonce takes no permit of DAI's form, with whatever nonce.";
const FURTHER_ON = "Memory further on is as free as where the free part begins.";
const NO_CODE = "A maker without code, or with a byte of it, answers no word.";
const ONE_SOURCE =
  "Nothing else is noted as source of native token at that point: to clear it always is to clear it then.";
const SOLD_TOKEN = "What is needed of the sold token is read by nobody: no fill makes it.";
const BEYOND = "Of tokens beyond those of the route nothing is needed.";
const FIRST_TWENTY = "Both are the first twenty bytes of what follows the fill.";

/** Faults that change nothing that anybody could see, each with its reason: by their names in tools/contracts/faults.ts. */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  "Executor execute: 33 -> 33 + 1": LONGER,
  "Executor execute: unspent != 0 -> true": SENDS_NOTHING,
  "Executor _exactIn: 0 -> 0 + 1 (7)": UNREAD,
  "Executor _exactIn: amount > makerOrderTakerAmount(more) -> amount >= makerOrderTakerAmount(more)": SENDS_NOTHING,
  "Executor _sell: sold < bought -> sold <= bought": SAME_TOKEN,
  "Executor _sell: sold < bought -> sold <= bought (2)": SAME_TOKEN,
  "Executor _sell: paysNative -> true (2)": ONE_SOURCE,
  "Executor _make: sold != 0 -> true (2)": SOLD_TOKEN,
  "Executor _make: 0 -> 0 + 1 (6)": SOLD_TOKEN,
  "Executor _make: at == fills.length -> true":
    "Where a lock or a callback had the rest made, nothing is needed any more and no receiver is noted.",
  "Executor _assertMade: tokens.length / TOKEN - 1 -> tokens.length / TOKEN + 1": BEYOND,
  "Executor _assertMade: PAID_TO -> PAID_TO + 1":
    "Where the bought token goes is noted anew by each exact output, and all others are cleared.",
  "Executor _open: sold < bought -> sold <= bought": SAME_TOKEN,
  "Executor _open: Trade(fill, sold, bought, amount, address(0), gateway, false) -> Trade(fill, sold, bought, amount, gateway, address(0), false)":
    "No part asks for the receiver or the gateway to tell a cost.",
  "Executor _close: 0 -> 0 + 1 (2)": UNREAD,
  "Executor _close: sold < bought -> sold <= bought": SAME_TOKEN,
  "Executor _close: paysNative -> true (2)": ONE_SOURCE,
  "ExecutorState _callbackFrom: 32 -> 32 + 1":
    "Any place for the pool beside the four bytes of the name tells pools apart.",
  "Gateway swap: made < bought -> made <= bought": EQUAL,
  "Gateway swap: buyToken == NATIVE_TOKEN ? nativeBefore : buyToken.balanceOf(address(this)) -> buyToken.balanceOf(address(this))":
    NO_VALUE,
  "Gateway swap: buyToken == NATIVE_TOKEN -> false": NO_VALUE,
  "Gateway swap: NATIVE_TOKEN -> address(uint160(NATIVE_TOKEN) ^ 1) (2)": NO_VALUE,
  "Gateway _gain: current > before -> current >= before": EQUAL,
  "Gateway _saleOf: part < amount -> part <= amount": EQUAL,
  "Gateway _trade: direct || order.buyToken != NATIVE_TOKEN ? order.buyToken.balanceOf(payTo) : nativeBefore -> order.buyToken.balanceOf(payTo)":
    NO_VALUE,
  "Gateway _trade: direct || order.buyToken != NATIVE_TOKEN -> true": NO_VALUE,
  "Gateway _trade: direct -> true (2)": NO_VALUE,
  "Gateway _trade: order.buyToken != NATIVE_TOKEN -> true": NO_VALUE,
  "Gateway _trade: NATIVE_TOKEN -> address(uint160(NATIVE_TOKEN) ^ 1)": NO_VALUE,
  "Gateway _trade: made < bought -> made <= bought": EQUAL,
  "Gateway _payOut: rest > quoted -> rest >= quoted": EQUAL,
  "OrderSettlement _isSigned: maker.code.length != 0 -> true": NO_CODE,
  "OrderSettlement _isSigned: 0 -> 0 + 1": NO_CODE,
  "OrderSettlement _signerOf: 64 -> 64 + 1": LONGER,
  "OrderSettlement _signerOf: 32 -> 32 + 1 (2)": LONGER,
  "OrderSettlement _isApproved: mstore(0, 0) -> nothing": ONE_WORD,
  "OrderSettlement _isApproved: 0 -> 0 + 1": ONE_WORD,
  "OrderSettlement _isApproved: 0 -> 0 + 1 (2)": ONE_WORD,
  "OrderSettlement _isApproved: 32 -> 32 + 1 (2)": SCRATCH,
  "SignedTransfers _permit: 32 -> 32 + 1": LONGER,
  "SignedTransfers _permit: 64 -> 64 + 1 (2)": LONGER,
  "SignedTransfers _ask: mstore(0, 0) -> nothing": NO_NONCE,
  "SignedTransfers _ask: 0 -> 0 + 1": NO_NONCE,
  "SignedTransfers _ask: 0 -> 0 + 1 (2)": NO_NONCE,
  "SignedTransfers _ask: 32 -> 32 + 1 (2)": SCRATCH,
  "TokenTransfers send: 0 -> 0 + 1": NOT_SENT,
  "TokenTransfers approve: 0 -> 0 + 1": NOT_SENT,
  "TokenTransfers sendNative: 0 -> 0 + 1": NOT_SENT,
  "TokenTransfers sendNative: 0 -> 0 + 1 (3)": NOT_SENT,
  "TokenTransfers sendNative: 0 -> 0 + 1 (4)": SCRATCH,
  "TokenTransfers _call: 0x40 -> 0x40 + 1": FURTHER_ON,
  "TokenTransfers _call: 32 -> 32 + 1": SCRATCH,
  "TokenTransfers _call: 0x40 -> 0x40 + 1 (2)": FURTHER_ON,
  "VenueCodes makerOrderMaker: 20 -> 20 + 1": LONGER,
  "VenueCodes makerOrderMakerAmount: 36 -> 36 + 1": LONGER,
  "VenueCodes makerOrderTakerAmount: 52 -> 52 + 1": LONGER,
  "VenueCodes makerOrderMinTakerAmount: 68 -> 68 + 1": LONGER,
  "VenueCodes makerOrderExpiry: 76 -> 76 + 1": LONGER,
  "VenueCodes makerOrderNonce: 108 -> 108 + 1": LONGER,
  "VenueCodes makerOrderRefillable: 109 -> 109 + 1": LONGER,
  "VenueCodes makerOrderSignatureLength: 111 -> 111 + 1": LONGER,
  "VenueCodes balancerV2PoolVault: 20 -> 20 + 1": LONGER,
  "VenueCodes balancerV2PoolIdEnd: 29 -> 29 + 1": LONGER,
  "VenueCodes v4PoolTickSpacing: 3 -> 3 + 1": LONGER,
  "VenueCodes v4PoolHooks: 23 -> 23 + 1": LONGER,
  "VenueCodes balancerV3PoolPool: 20 -> 20 + 1": LONGER,
  "VenueCodes balancerV3BufferWrapped: 20 -> 20 + 1": LONGER,
  "VenueCodes infinityClPoolParameters: 5 -> 5 + 1": LONGER,
  "VenueCodes infinityClPoolHooks: 25 -> 25 + 1": LONGER,
  "VenueCodes infinityBinPoolParameters: 5 -> 5 + 1": LONGER,
  "VenueCodes infinityBinPoolHooks: 25 -> 25 + 1": LONGER,
  "VenueCodes fluidPoolPool: 20 -> 20 + 1": LONGER,
  "VenueCodes ekuboPoolConfigBegin: 29 -> 29 + 1": LONGER,
  "VenuePart buy: paid = cost -> nothing": "Nobody reads that answer, only that there is one.",
  "VenuePart _passOn: to != address(this) -> true": TO_ITSELF,
  "venues/BalancerV2 _swap: IERC20(sold).allowance(address(this), vault) < most -> IERC20(sold).allowance(address(this), vault) <= most":
    "Both ways the vault may draw exactly what it is sold, and has drawn it afterwards.",
  "venues/BalancerV3 open: 0 -> 0 + 1": "What a buffer brings is replaced when it is closed.",
  "venues/CallbackPools _buyFromPool: sold < tokenAt(tokens, fill.boughtOf()) -> sold <= tokenAt(tokens, fill.boughtOf())":
    SAME_TOKEN,
  "venues/CallbackPools _buyByRest: tokenAt(tokens, fill.soldOf()) < tokenAt(tokens, fill.boughtOf()) -> tokenAt(tokens, fill.soldOf()) <= tokenAt(tokens, fill.boughtOf())":
    SAME_TOKEN,
  "venues/FluidPools _buy: trade.to != address(this) -> true": TO_ITSELF,
  "venues/LiquidityBook _buy: trade.to != address(this) -> true": TO_ITSELF,
  "venues/LiquidityBook _buy: got != amount -> true": SENDS_NOTHING,
  "venues/Locks _lockedSwap: swap.zeroForOne = true -> nothing":
    "A vault of Balancer is told its tokens by name: nothing of it reads a direction.",
  "venues/Locks _lockedSwap: swap.venue == BALANCER_V3_POOL ? balancerV3PoolPool(more) : balancerV3BufferWrapped(more) -> balancerV3PoolPool(more)":
    FIRST_TWENTY,
  "venues/Locks _lockedSwap: swap.venue == BALANCER_V3_POOL ? balancerV3PoolPool(more) : balancerV3BufferWrapped(more) -> balancerV3BufferWrapped(more)":
    FIRST_TWENTY,
  "venues/Locks _lockedSwap: swap.venue == BALANCER_V3_POOL -> true": FIRST_TWENTY,
  "venues/Locks _lockedSwap: swap.venue == BALANCER_V3_POOL -> false": FIRST_TWENTY,
  "venues/Locks _lockedSwap: swap.venue == BALANCER_V3_POOL -> swap.venue != BALANCER_V3_POOL": FIRST_TWENTY,
  "venues/Locks _lockedSwap: BALANCER_V3_POOL -> BALANCER_V3_POOL + 1": FIRST_TWENTY,
  "venues/Locks _isOpen: openInfinity != address(0) -> true":
    "A manager whose Vault is nobody fails either way, when nobody is called.",
  "venues/Locks _swapLocked: _isOpen(swap.venue, swap.manager) -> false":
    "No lock is open where an exact input asks: docs/audit/README.md#coverage.",
  "venues/StabilityModules _sell: cost != amount -> true": SENDS_NOTHING,
  "venues/StabilityModules _buy: trade.to != address(this) -> true": TO_ITSELF,
  "venues/StabilityModules _buy: got != amount -> true": SENDS_NOTHING,
  "venues/UniswapV4 _nameCurrencies: give < take -> give <= take": SAME_TOKEN,
  "venues/UniswapV4 _nameCurrencies: give < take -> give <= take (2)": SAME_TOKEN,
  "venues/Wrapping _convert: to != address(this) -> true": TO_ITSELF,
};
