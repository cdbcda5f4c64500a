import { type Mutant, mutant } from "./mutant.ts";

const CALLED = "done := call(gas(), token, 0, add(data, 32), mload(data), 0, 32)";
const PERMITTED = "(msg.sender, address(this), order.maxSellAmount, order.deadline, v, r, s)";
const DAI_PERMITTED = "(msg.sender, address(this), nonce, order.deadline, true, v, r, s)";

/** Fields of the witness, each with what stands there if it is not signed. */
const SIGNED_FIELDS = {
  executor: "address(0)",
  buyToken: "address(0)",
  minBuyAmount: "uint256(0)",
  recipient: "address(0)",
  feesFromSold: "false",
  balanceShare: "uint256(0)",
  quotedBuyAmount: "uint256(0)",
  surplusPpm: "uint256(0)",
  surplusRecipient: "address(0)",
};

/** Faults in SignedTransfers.sol. */
export const SIGNED_MUTANTS: readonly Mutant[] = [
  mutant("no permit is brought", CALLED, "done := 1"),
  mutant("a permit that fails stops the swap", CALLED, `${CALLED}\n            if iszero(done) { revert(0, 0) }`),
  mutant("a permit is anybody's", PERMITTED, PERMITTED.replace("msg.sender", "tx.origin")),
  mutant("a permit is without limit", PERMITTED, PERMITTED.replace("order.maxSellAmount", "type(uint256).max")),
  mutant("a permit has no end", PERMITTED, PERMITTED.replace("order.deadline", "type(uint256).max")),
  mutant("DAI's permit is not brought", "        if (done) return;\n", "        return;\n"),
  mutant("DAI's permit has the first nonce", "msg.sender, address(this), nonce,", "msg.sender, address(this), 0,"),
  mutant("DAI's permit is anybody's", DAI_PERMITTED, DAI_PERMITTED.replace("msg.sender", "tx.origin")),
  mutant("DAI's permit has no end", DAI_PERMITTED, DAI_PERMITTED.replace("order.deadline", "uint256(0)")),
  mutant("DAI's permit allows nothing", DAI_PERMITTED, DAI_PERMITTED.replace("true", "false")),
  mutant("somebody else's nonce is asked for", "IDaiPermit.nonces, (msg.sender)", "IDaiPermit.nonces, (address(this))"),
  mutant(
    "Permit2 brings all that was signed",
    "SignatureTransferDetails(address(this), amount)",
    "SignatureTransferDetails(address(this), order.maxSellAmount)",
  ),
  mutant(
    "Permit2 brings it to who calls",
    "SignatureTransferDetails(address(this), amount)",
    "SignatureTransferDetails(msg.sender, amount)",
  ),
  mutant(
    "what Permit2 permits is what is sold",
    "TokenPermissions(order.sellToken, order.maxSellAmount)",
    "TokenPermissions(order.sellToken, amount)",
  ),
  mutant("a signature has no end", "permit.nonce, order.deadline", "permit.nonce, type(uint256).max"),
  mutant("a signature has no nonce", "permit.nonce, order", "0, order"),
  mutant("only the owner brings a transfer", "            permit.owner,\n", "            msg.sender,\n"),
  ...Object.entries(SIGNED_FIELDS).map(([field, nothing]) =>
    mutant(`${field} is not signed`, `                order.${field},\n`, `                ${nothing},\n`),
  ),
  mutant("fees are not signed", "keccak256(abi.encodePacked(fees))", "bytes32(0)"),
  mutant(
    "who takes fees is not signed",
    "abi.encode(FEE_TYPE, fee.recipient, fee.ratePpm)",
    "abi.encode(FEE_TYPE, address(0), fee.ratePpm)",
  ),
  mutant(
    "how much a fee takes is not signed",
    "abi.encode(FEE_TYPE, fee.recipient, fee.ratePpm)",
    "abi.encode(FEE_TYPE, fee.recipient, uint256(0))",
  ),
  mutant("the payload is not signed", "keccak256(payload)", "bytes32(0)"),
];

/** Faults in TokenTransfers.sol, which is a part of all three contracts. */
export const TRANSFER_MUTANTS: readonly Mutant[] = [
  mutant("a token that says no is believed to have moved", "size >= 32 && answer == 1", "size >= 32"),
  mutant("any number is a yes", "answer == 1;", "answer != 0;"),
  mutant("a short answer is a yes", "size >= 32 && answer == 1", "answer == 1"),
  mutant("what has no code is a token", "token.code.length != 0", "true"),
  mutant("a token that returns nothing is none", "size == 0 ? token.code.length != 0 :", ""),
  mutant("a transfer that reverts without a reason was done", "if (!done || !accepted)", "if (!accepted)"),
  mutant("a token's reason is lost", "if (!done && size != 0) {", "if (false) {"),
  mutant("a token's reason may be of any length", "if gt(size, 1024) { size := 1024 }"),
  mutant("native token that is refused was sent", "if (!done) revert NativeTransferFailed(to);"),
];
