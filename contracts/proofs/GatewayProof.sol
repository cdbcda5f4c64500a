// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

// What the gateway's arithmetic promises, for all amounts. `Taken` is made of Gateway.sol by tools/contracts/prove.ts: each of
// its functions is an expression, or a body, that the gateway has. A wrong claim stands at the end.

import {MAX_FEE_PPM, MAX_SURPLUS_PPM, SHARE_ONE, Taken} from "./Taken.sol";

contract GatewayProof {
    /// A plain swap's fee is at most a tenth of what came, so that the rest is never below zero.
    function plainFee(uint256 gross, uint256 rate) external pure {
        require(rate <= MAX_FEE_PPM);
        assert(Taken.splitFee(gross, rate) <= gross / 10);
    }

    /// Two fees take no more than one of both rates: so do four, one after the other.
    function feesAddUp(uint256 gross, uint256 first, uint256 second) external pure {
        require(first <= MAX_FEE_PPM && second <= MAX_FEE_PPM - first);
        uint256 both = Taken.payOutFee(gross, first) + Taken.payOutFee(gross, second);
        assert(both <= Taken.payOutFee(gross, first + second));
    }

    function boughtFees(uint256 gross, uint256 rate) external pure {
        require(rate <= MAX_FEE_PPM);
        assert(Taken.payOutFee(gross, rate) <= gross / 10);
    }

    /// Of surplus at most half is shared, and all that was quoted is left.
    function surplus(uint256 rest, uint256 quoted, uint256 rate) external pure {
        require(rate <= MAX_SURPLUS_PPM);
        uint256 share = Taken.payOutShare(rest, quoted, rate);
        assert(share == 0 || share <= (rest - quoted) / 2);
        assert(share == 0 || rest - share >= quoted);
    }

    /// A share of a balance is at most the balance.
    function balanceShare(uint256 balance, uint256 share) external pure {
        require(share <= SHARE_ONE);
        assert(Taken.saleOfPart(balance, share) <= balance);
    }

    /// Fees on the sold token leave the executor nine tenths, and never nothing.
    function soldFees(uint256 amount, uint256 rate) external pure {
        require(rate <= MAX_FEE_PPM && amount != 0);
        uint256 fees = Taken.saleOfMost(amount, rate);
        assert(fees <= amount / 10);
        assert(amount - fees != 0);
    }

    /// What is paid of a fee on the sold token is at most the fee on the whole amount: what fees have left is enough.
    function paidFee(uint256 amount, uint256 rate, uint256 sold, uint256 most) external pure {
        require(rate <= MAX_FEE_PPM && sold <= most && most != 0);
        assert(Taken.settleFee(amount, rate, sold, most) <= Taken.saleOfMost(amount, rate));
    }

    /// A minimum for a part is at most the whole one, and never nothing.
    function minimum(uint256 part, uint256 whole, uint256 amount) external pure {
        require(part != 0 && part <= whole && amount != 0);
        uint256 scaled = Taken.scaled(part, whole, amount);
        assert(scaled <= amount);
        assert(scaled != 0);
    }

    /// Whoever sells a part gets at least the rate that was agreed for the whole.
    function rate(uint256 part, uint256 whole, uint256 amount) external pure {
        require(part != 0 && part <= whole && amount <= type(uint256).max / whole);
        assert(Taken.scaled(part, whole, amount) * whole >= amount * part);
    }

    /// A balance that has not grown has gained nothing.
    function gain(uint256 current, uint256 before) external pure {
        uint256 gained = Taken.gain(current, before);
        assert(current > before ? gained == current - before : gained == 0);
    }

    /// Shows that the checker refutes: half is not below half.
    function wrong(uint256 rest, uint256 quoted) external pure {
        assert(Taken.payOutShare(rest, quoted, MAX_SURPLUS_PPM) < (rest - quoted) / 2);
    }
}
