// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Branch, DevnetEulerCurve} from "./DevnetEulerCurve.sol";

/// A pool with the interface and the published formulas of EulerSwap, version 1 or 2. It holds both tokens itself; what vaults would
/// take in and pay out are numbers that its owner sets. Whether it is its account's operator is one as well.
contract DevnetEulerPool {
    using SafeERC20 for IERC20;

    /// Of version 1: one fee, and a share of it for the protocol.
    struct Params {
        address vault0;
        address vault1;
        address eulerAccount;
        uint112 equilibriumReserve0;
        uint112 equilibriumReserve1;
        uint256 priceX;
        uint256 priceY;
        uint256 concentrationX;
        uint256 concentrationY;
        uint256 fee;
        uint256 protocolFee;
        address protocolFeeRecipient;
    }

    /// Of version 2.
    struct StaticParams {
        address supplyVault0;
        address supplyVault1;
        address borrowVault0;
        address borrowVault1;
        address eulerAccount;
        address feeRecipient;
    }

    struct DynamicParams {
        uint112 equilibriumReserve0;
        uint112 equilibriumReserve1;
        uint112 minReserve0;
        uint112 minReserve1;
        uint80 priceX;
        uint80 priceY;
        uint64 concentrationX;
        uint64 concentrationY;
        uint64 fee0;
        uint64 fee1;
        uint40 expiration;
        uint8 swapHookedOperations;
        address swapHook;
    }

    error AmountTooBig();
    error CurveViolation();
    error Expired();
    error OperatorNotInstalled();
    error SwapLimitExceeded();
    error SwapRejected();
    error Unauthorized();
    error UnsupportedPair();

    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        uint112 reserve0,
        uint112 reserve1,
        address indexed to
    );
    event EulerSwapConfigured(DynamicParams dParams, uint112 reserve0, uint112 reserve1);

    uint256 private constant ONE = 1e18;

    bool private immutable second;
    address private immutable owner;
    IERC20 private immutable asset0;
    IERC20 private immutable asset1;

    uint32 private status = 1;
    bool private installed = true;
    uint112[2] private reserves;
    uint256[2] private held;
    uint256[2] private maxIn;
    uint256[2] private maxOut;
    DynamicParams private terms;

    constructor(bool second_, IERC20 asset0_, IERC20 asset1_, address owner_) {
        (second, asset0, asset1, owner) = (second_, asset0_, asset1_, owner_);
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert Unauthorized();
        _;
    }

    /// Takes what it has been given as what vaults hold for it.
    function configure(DynamicParams calldata terms_, uint112[2] calldata reserves_) external onlyOwner {
        (terms, reserves) = (terms_, reserves_);
        held = _balances();
        if (!_isOnOrAbove(reserves_[0], reserves_[1])) revert CurveViolation();
        emit EulerSwapConfigured(terms_, reserves_[0], reserves_[1]);
    }

    function setVaults(uint256[2] calldata maxIn_, uint256[2] calldata maxOut_) external onlyOwner {
        (maxIn, maxOut) = (maxIn_, maxOut_);
    }

    function setStatus(uint32 status_, bool installed_) external onlyOwner {
        (status, installed) = (status_, installed_);
    }

    function curve() external view returns (bytes32) {
        return second ? bytes32("EulerSwap v2") : bytes32("EulerSwap v1");
    }

    function getAssets() external view returns (address, address) {
        return (address(asset0), address(asset1));
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserves[0], reserves[1], status);
    }

    function getParams() external view returns (Params memory params) {
        if (second) revert Unauthorized();
        (params.eulerAccount, params.fee) = (owner, terms.fee0);
        (params.equilibriumReserve0, params.equilibriumReserve1) = (terms.equilibriumReserve0, terms.equilibriumReserve1);
        (params.priceX, params.priceY) = (terms.priceX, terms.priceY);
        (params.concentrationX, params.concentrationY) = (terms.concentrationX, terms.concentrationY);
    }

    function getStaticParams() external view returns (StaticParams memory params) {
        if (!second) revert Unauthorized();
        params.eulerAccount = owner;
    }

    function getDynamicParams() external view returns (DynamicParams memory) {
        if (!second) revert Unauthorized();
        return terms;
    }

    function getLimits(address sold, address bought) external view returns (uint256 inLimit, uint256 outLimit) {
        uint256 from = _indexOf(sold, bought);
        if (!installed || _isExpired() || _feeOf(from) >= ONE) return (0, 0);
        (inLimit, outLimit) = (maxIn[from], _payable(1 - from));
    }

    function computeQuote(address sold, address bought, uint256 amount, bool exactIn) external view returns (uint256 quote) {
        uint256 from = _indexOf(sold, bought);
        if (amount == 0) return 0;
        if (amount > type(uint112).max) revert SwapLimitExceeded();
        if (!installed) revert OperatorNotInstalled();
        if (_isExpired()) revert Expired();
        uint256 fee = _feeOf(from);
        if (fee >= ONE) revert SwapRejected();
        if (exactIn) {
            uint256 taken = amount - amount * fee / ONE;
            uint256 left = _partner(from, reserves[from] + taken);
            quote = reserves[1 - from] > left ? reserves[1 - from] - left : 0;
            if (taken > maxIn[from] || quote > _payable(1 - from)) revert SwapLimitExceeded();
        } else {
            if (reserves[1 - from] <= amount) revert SwapLimitExceeded();
            uint256 asked = _partner(1 - from, reserves[1 - from] - amount);
            quote = asked > reserves[from] ? asked - reserves[from] : 0;
            if (amount > _payable(1 - from) || quote > maxIn[from]) revert SwapLimitExceeded();
            quote = quote * ONE / (ONE - fee);
        }
    }

    /// Pays first, and takes what it has been given since.
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) external {
        if (amount0Out > type(uint112).max || amount1Out > type(uint112).max) revert AmountTooBig();
        if (_isExpired()) revert Expired();
        if (!installed) revert OperatorNotInstalled();
        (uint256 amount0In, uint256 amount1In) = (_taken(0), _taken(1));
        if (amount0Out > _payable(0) || amount1Out > _payable(1)) revert SwapLimitExceeded();
        if (amount0Out != 0) asset0.safeTransfer(to, amount0Out);
        if (amount1Out != 0) asset1.safeTransfer(to, amount1Out);
        uint256 reserve0 = reserves[0] + amount0In - amount0Out;
        uint256 reserve1 = reserves[1] + amount1In - amount1Out;
        if (!_isOnOrAbove(reserve0, reserve1)) revert CurveViolation();
        reserves = [uint112(reserve0), uint112(reserve1)];
        held = _balances();
        emit Swap(msg.sender, amount0In, amount1In, amount0Out, amount1Out, reserves[0], reserves[1], to);
    }

    /// What has come in of a token, less its fee.
    function _taken(uint256 token) private view returns (uint256) {
        uint256 amount = _balances()[token] - held[token];
        if (amount > maxIn[token]) revert SwapLimitExceeded();
        return amount - amount * _feeOf(token) / ONE;
    }

    function _feeOf(uint256 token) private view returns (uint256) {
        return token == 0 || !second ? terms.fee0 : terms.fee1;
    }

    /// What is paid out of a token at the most: down to its least reserve, and what vaults have.
    function _payable(uint256 token) private view returns (uint256) {
        uint256 least = second ? (token == 0 ? terms.minReserve0 : terms.minReserve1) : 0;
        uint256 ofReserve = reserves[token] - least;
        uint256 ofVaults = maxOut[token] < held[token] ? maxOut[token] : held[token];
        return ofReserve < ofVaults ? ofReserve : ofVaults;
    }

    function _isExpired() private view returns (bool) {
        return second && terms.expiration != 0 && terms.expiration <= block.timestamp;
    }

    function _indexOf(address sold, address bought) private view returns (uint256) {
        if (sold == address(asset0) && bought == address(asset1)) return 0;
        if (sold == address(asset1) && bought == address(asset0)) return 1;
        revert UnsupportedPair();
    }

    function _balances() private view returns (uint256[2] memory) {
        return [asset0.balanceOf(address(this)), asset1.balanceOf(address(this))];
    }

    /// The side on which a token is below its equilibrium.
    function _branch(uint256 token) private view returns (Branch memory b) {
        DynamicParams memory p = terms;
        b = Branch(p.priceX, p.priceY, p.equilibriumReserve0, p.equilibriumReserve1, p.concentrationX);
        if (token != 0) b = Branch(b.py, b.px, b.y0, b.x0, p.concentrationY);
    }

    /// The other reserve that the curve asks for beside so much of `token`.
    function _partner(uint256 token, uint256 reserve) private view returns (uint256) {
        Branch memory b = _branch(token);
        return reserve <= b.x0
            ? DevnetEulerCurve.other(b, reserve, second)
            : DevnetEulerCurve.own(_branch(1 - token), reserve, second);
    }

    function _isOnOrAbove(uint256 reserve0, uint256 reserve1) private view returns (bool) {
        if (reserve0 > type(uint112).max || reserve1 > type(uint112).max) return false;
        if (second && (reserve0 < terms.minReserve0 || reserve1 < terms.minReserve1)) return false;
        (uint256 x0, uint256 y0) = (terms.equilibriumReserve0, terms.equilibriumReserve1);
        if (reserve0 >= x0) {
            return reserve1 >= y0 || reserve0 >= DevnetEulerCurve.other(_branch(1), reserve1, second);
        }
        return reserve1 >= y0 && reserve1 >= DevnetEulerCurve.other(_branch(0), reserve0, second);
    }
}
