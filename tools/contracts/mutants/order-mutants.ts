import { type Mutant, mutant } from "./mutant.ts";

const USE = "        _use(order, orderHash, takerAmount);\n";
const DONE = "        emit OrderFilled(";
const PAY = "        _pay(order.takerToken, order.maker, takerAmount);\n";
const DRAW = "        order.makerToken.sendFrom(order.maker, recipient, makerAmount);\n";

/** Faults that the tests of makers' orders must see, each by itself. */
export const ORDER_MUTANTS: readonly Mutant[] = [
  mutant("a fill within a fill is let in", "        filling = true;\n"),
  mutant("the lock is never opened again", "        filling = false;\n"),
  mutant("anybody may fill", "if (msg.sender != order.taker) revert NotTheTaker(msg.sender);"),
  mutant("the last second is refused", "block.timestamp > order.expiry", "block.timestamp >= order.expiry"),
  mutant("a second after the last is let in", "block.timestamp > order.expiry", "block.timestamp > order.expiry + 1"),
  mutant("a fill of nothing is let in", "takerAmount == 0 || "),
  mutant(
    "one less than the minimum is let in",
    "takerAmount < order.minTakerAmount",
    "takerAmount + 1 < order.minTakerAmount",
  ),
  mutant("the minimum is refused", "takerAmount < order.minTakerAmount", "takerAmount <= order.minTakerAmount"),
  mutant(
    "one fill may be for more than the order",
    "if (takerAmount > order.takerAmount) revert Overfilled(order.takerAmount, takerAmount);",
  ),
  mutant(
    "any rate is let in",
    "if (makerAmount * order.takerAmount > order.makerAmount * takerAmount) revert WorseThanSigned();",
  ),
  mutant(
    "a part is rounded up",
    "> order.makerAmount * takerAmount)",
    ">= order.makerAmount * takerAmount + order.takerAmount)",
  ),
  mutant(
    "the signed rate is refused",
    "makerAmount * order.takerAmount > order",
    "makerAmount * order.takerAmount >= order",
  ),
  mutant(
    "no signature is looked at",
    "if (!_isSigned(order.maker, orderHash, signature)) revert InvalidSignature(order.maker);",
  ),
  {
    name: "the nonce is used up last",
    changes: [
      [USE, ""],
      [DONE, `${USE}${DONE}`],
    ],
  },
  mutant("the maker is not paid", PAY),
  {
    name: "the maker's token is drawn before it is paid",
    changes: [
      [PAY, ""],
      [DRAW, `${DRAW}${PAY}`],
    ],
  },
  mutant("a payment of which a part is missing is let in", "if (paid < amount) revert PaymentTooSmall(amount, paid);"),
  mutant("nobody is told of a fill", "        emit OrderFilled(order.maker, orderHash, takerAmount, makerAmount);\n"),

  mutant("a digest is for every chain", "VERSION, block.chainid,", "VERSION, uint256(31337),"),
  mutant("nonces below the least are good", "if (nonce < least) revert NonceTooLow(least, nonce);"),
  mutant("the least nonce is void too", "if (nonce < least)", "if (nonce <= least)"),
  mutant("a nonce is never used up", "            usedNonces[order.maker][word] = used | bit;\n"),
  mutant("a nonce used up makes its neighbours good again", "= used | bit;", "= bit;"),
  mutant("nonces 128 apart are one", "1 << (nonce & 0xff)", "1 << (nonce & 0x7f)"),
  mutant("nonces of neighbouring words are one", "(nonce >> 8,", "(nonce >> 9,"),
  mutant("every order may be filled again", "if (order.refillable) filled[orderHash]", "filled[orderHash]"),
  mutant("no order may be filled again", "            if (order.refillable) filled[orderHash] = takerAmount;\n"),
  mutant("another order of a nonce that is used up is good", "before == 0 || "),
  mutant("a cancelled order that was begun is good", " || cancelledNonces[order.maker][word] & bit != 0"),
  mutant("parts may be more than the whole", "        if (takerAmount > left) revert Overfilled(left, takerAmount);\n"),
  mutant("later parts are not counted", "filled[orderHash] = before + takerAmount;", "filled[orderHash] = before;"),

  mutant(
    "cancelling makes other nonces of the word good again",
    "usedNonces[msg.sender][word] |= mask",
    "usedNonces[msg.sender][word] = mask",
  ),
  mutant(
    "cancelling takes back what was cancelled before",
    "cancelledNonces[msg.sender][word] |= mask",
    "cancelledNonces[msg.sender][word] = mask",
  ),
  mutant("cancelling does not make a nonce void", "        usedNonces[msg.sender][word] |= mask;\n"),
  mutant("nobody is told of a cancelling", "        emit NoncesCancelled(msg.sender, word, mask);\n"),
  mutant(
    "the least nonce may fall",
    "if (nonce <= leastNonce[msg.sender]) revert NonceTooLow(leastNonce[msg.sender], nonce);",
  ),
  mutant("the least nonce may stay", "if (nonce <= leastNonce[msg.sender])", "if (nonce < leastNonce[msg.sender])"),
  mutant("nobody is told of a least nonce", "        emit LeastNonceRaised(msg.sender, nonce);\n"),
  mutant("a signer stays for ever", "isSigner[msg.sender][signer] = allowed;", "isSigner[msg.sender][signer] = true;"),
  mutant("nobody is told of a signer", "        emit SignerSet(msg.sender, signer, allowed);\n"),

  mutant("who registers a maker signs for it", "isSigner[maker][signer]", "isSigner[signer][maker]"),
  mutant("a registered signer is refused", "(signer == maker || isSigner[maker][signer])", "signer == maker"),
  mutant("no signature is one of nobody's", "signer != address(0) && "),
  mutant("the mirror image of a signature is let in", "        if (uint256(s) > MAX_S) return address(0);\n"),
  mutant("a signature may be longer", "signature.length != 65", "signature.length < 65"),
  mutant("contracts are not asked", "maker.code.length != 0 && _isApproved(maker, orderHash, signature)", "false"),
  mutant("a contract may burn all gas", "staticcall(ERC1271_GAS,", "staticcall(gas(),"),
  {
    name: "a contract may change things",
    changes: [
      ["staticcall(ERC1271_GAS, maker,", "call(ERC1271_GAS, maker, 0,"],
      [
        "bytes calldata signature) private view returns (bool yes)",
        "bytes calldata signature) private returns (bool yes)",
      ],
      ["bytes calldata signature) private view returns (bool) {", "bytes calldata signature) private returns (bool) {"],
    ],
  },
  mutant("a contract that reverts may have said yes", "and(done, and(", "and(1, and("),
  mutant("a short answer is read as a whole one", "gt(returndatasize(), 31)", "gt(returndatasize(), 3)"),
  mutant(
    "only the first bytes of an answer are read",
    "eq(mload(0), wanted)",
    "eq(shr(224, mload(0)), shr(224, wanted))",
  ),
  mutant("any answer is a yes", ", eq(mload(0), wanted))", ", 1)"),
];
