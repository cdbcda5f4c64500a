// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {DevnetDodoMath} from "./DevnetDodoMath.sol";

/// A pool with the interface of DODO V2's: a vending machine (DVM), a private pool (DPP) or a stable pool (DSP). It takes what it
/// holds beyond its reserves, and pays the trader and the maintainer. Its owner resets it as those of private pools do.
contract DevnetDodoPool {
    using SafeERC20 for IERC20;

    event DODOSwap(
        address fromToken,
        address toToken,
        uint256 fromAmount,
        uint256 toAmount,
        address trader,
        address receiver
    );
    event RChange(uint8 newRState);
    event LpFeeRateChange(uint256 newLpFeeRate);

    uint256 private constant ONE_R = 0;
    uint256 private constant ABOVE_ONE = 1;
    uint256 private constant BELOW_ONE = 2;
    uint256 private constant ONE = 1e18;
    /// A trader without a special fee.
    address private constant ANYBODY = address(0);

    struct Pmm {
        uint256 i;
        uint256 k;
        uint256 b;
        uint256 q;
        uint256 b0;
        uint256 q0;
        uint256 r;
    }

    address public immutable _OWNER_;
    address public immutable maintainer;
    IERC20 public immutable _BASE_TOKEN_;
    IERC20 public immutable _QUOTE_TOKEN_;
    bool private immutable isVendingMachine;
    string public version;

    Pmm private pmm;
    uint256 public _LP_FEE_RATE_;
    mapping(address => uint256) private maintainerFees;

    constructor(string memory version_, IERC20 base, IERC20 quote, address owner_, address maintainer_) {
        (version, _BASE_TOKEN_, _QUOTE_TOKEN_, _OWNER_, maintainer) = (version_, base, quote, owner_, maintainer_);
        isVendingMachine = bytes(version_)[1] == "V";
    }

    modifier onlyOwner() {
        require(msg.sender == _OWNER_, "NOT_OWNER");
        _;
    }

    /// Takes what it holds for its reserves and targets.
    function reset(uint256 lpFee, uint256 i, uint256 k) external onlyOwner {
        (uint256 b, uint256 q) = _balances();
        _LP_FEE_RATE_ = lpFee;
        pmm = isVendingMachine ? Pmm(i, k, b, q, 0, 0, ABOVE_ONE) : Pmm(i, k, b, q, b, q, ONE_R);
        emit LpFeeRateChange(lpFee);
    }

    function setPmm(Pmm calldata pmm_) external onlyOwner {
        pmm = pmm_;
    }

    function setFees(uint256 lpFee, address trader, uint256 maintainerFee) external onlyOwner {
        (_LP_FEE_RATE_, maintainerFees[trader]) = (lpFee, maintainerFee);
    }

    function getPMMStateForCall()
        external
        view
        returns (uint256 i, uint256 K, uint256 B, uint256 Q, uint256 B0, uint256 Q0, uint256 R)
    {
        Pmm memory p = _adjusted();
        return (p.i, p.k, p.b, p.q, p.b0, p.q0, p.r);
    }

    function getUserFeeRate(address user) public view returns (uint256 lpFeeRate, uint256 mtFeeRate) {
        uint256 own = maintainerFees[user];
        return (_LP_FEE_RATE_, own == 0 ? maintainerFees[ANYBODY] : own);
    }

    function querySellBase(address trader, uint256 amount) external view returns (uint256 paid, uint256 fee) {
        (uint256 gross,) = _sale(_adjusted(), amount, true);
        return _split(gross, trader);
    }

    function querySellQuote(address trader, uint256 amount) external view returns (uint256 paid, uint256 fee) {
        (uint256 gross,) = _sale(_adjusted(), amount, false);
        return _split(gross, trader);
    }

    function sellBase(address to) external returns (uint256 paid) {
        (uint256 balance,) = _balances();
        uint256 sold = balance - pmm.b;
        Pmm memory p = _adjusted();
        (uint256 gross, uint256 r) = _sale(p, sold, true);
        uint256 fee;
        (paid, fee) = _split(gross, tx.origin);
        _pay(_QUOTE_TOKEN_, to, paid, fee);
        if (!isVendingMachine && r != p.r) {
            (pmm.b0, pmm.r) = (p.b0, r);
            emit RChange(uint8(r));
        }
        (pmm.b, pmm.q) = (balance, _QUOTE_TOKEN_.balanceOf(address(this)));
        emit DODOSwap(address(_BASE_TOKEN_), address(_QUOTE_TOKEN_), sold, paid, msg.sender, to);
    }

    function sellQuote(address to) external returns (uint256 paid) {
        (, uint256 balance) = _balances();
        uint256 sold = balance - pmm.q;
        Pmm memory p = _adjusted();
        (uint256 gross, uint256 r) = _sale(p, sold, false);
        uint256 fee;
        (paid, fee) = _split(gross, tx.origin);
        _pay(_BASE_TOKEN_, to, paid, fee);
        if (!isVendingMachine && r != p.r) {
            (pmm.q0, pmm.r) = (p.q0, r);
            emit RChange(uint8(r));
        }
        (pmm.b, pmm.q) = (_BASE_TOKEN_.balanceOf(address(this)), balance);
        emit DODOSwap(address(_QUOTE_TOKEN_), address(_BASE_TOKEN_), sold, paid, msg.sender, to);
    }

    function _balances() private view returns (uint256, uint256) {
        return (_BASE_TOKEN_.balanceOf(address(this)), _QUOTE_TOKEN_.balanceOf(address(this)));
    }

    function _pay(IERC20 token, address to, uint256 paid, uint256 fee) private {
        if (paid != 0) token.safeTransfer(to, paid);
        if (fee != 0) token.safeTransfer(maintainer, fee);
    }

    function _split(uint256 gross, address trader) private view returns (uint256 paid, uint256 fee) {
        (uint256 lpFee, uint256 maintainerFee) = getUserFeeRate(trader);
        fee = gross * maintainerFee / ONE;
        paid = gross - gross * lpFee / ONE - fee;
    }

    function _adjusted() private view returns (Pmm memory p) {
        p = pmm;
        if (p.r == BELOW_ONE) p.q0 = DevnetDodoMath.targetOf(p.q, p.b - p.b0, p.i, p.k);
        else if (p.r == ABOVE_ONE) p.b0 = DevnetDodoMath.targetOf(p.b, p.q - p.q0, ONE * ONE / p.i, p.k);
    }

    /// What `amount` brings before fees, and on which side of its targets the pool is then.
    function _sale(Pmm memory p, uint256 amount, bool ofBase) private pure returns (uint256 paid, uint256 r) {
        (uint256 price, uint256 held, uint256 target) = ofBase ? (p.i, p.q, p.q0) : (ONE * ONE / p.i, p.b, p.b0);
        (uint256 towards, uint256 away) = ofBase ? (ABOVE_ONE, BELOW_ONE) : (BELOW_ONE, ABOVE_ONE);
        if (p.r != towards) {
            if (p.r == ONE_R) held = target;
            return (DevnetDodoMath.paidFor(target, held, amount, price, p.k), away);
        }
        (uint256 sold, uint256 soldTarget) = ofBase ? (p.b, p.b0) : (p.q, p.q0);
        (uint256 way, uint256 most) = (soldTarget - sold, held - target);
        if (amount == way) return (most, ONE_R);
        if (amount > way) {
            return (most + DevnetDodoMath.paidFor(target, target, amount - way, price, p.k), away);
        }
        paid = DevnetDodoMath.integrate(soldTarget, sold + amount, sold, price, p.k);
        return (paid > most ? most : paid, towards);
    }
}
