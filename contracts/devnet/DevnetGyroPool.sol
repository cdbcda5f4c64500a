// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {DevnetGyroEllipse, Ellipse} from "./DevnetGyroEllipse.sol";
import {DevnetGyroMath} from "./DevnetGyroMath.sol";

interface IBalancerVault {
    function registerPool(uint8 specialization) external returns (bytes32);
    function registerTokens(bytes32 poolId, address[] calldata tokens, address[] calldata managers) external;
    function getPoolTokenInfo(bytes32 poolId, address token)
        external
        view
        returns (uint256 cash, uint256 managed, uint256 lastChangeBlock, address manager);
}

interface IDecimals {
    function decimals() external view returns (uint8);
}

interface IRateProvider {
    function getRate() external view returns (uint256);
}

/// Kinds of Gyroscope's pools.
enum GyroKind {
    TwoClp,
    ThreeClp,
    Eclp
}

/// A pool in Balancer's V2 vault with the interface and the published formulas of Gyroscope. It has no shares: whoever joins gives
/// what he likes, whoever leaves gets a thousandth.
contract DevnetGyroPool {
    using DevnetGyroMath for uint256;

    struct SwapRequest {
        uint8 kind;
        address tokenIn;
        address tokenOut;
        uint256 amount;
        bytes32 poolId;
        uint256 lastChangeBlock;
        address from;
        address to;
        bytes userData;
    }

    struct Params {
        int256 alpha;
        int256 beta;
        int256 c;
        int256 s;
        int256 lambda;
    }

    struct Vector2 {
        int256 x;
        int256 y;
    }

    struct DerivedParams {
        Vector2 tauAlpha;
        Vector2 tauBeta;
        int256 u;
        int256 v;
        int256 w;
        int256 z;
        int256 dSq;
    }

    error Paused();
    error Unauthorized();
    error WrongKind();

    bytes32 public immutable getPoolId;
    address public immutable getOwner;
    IBalancerVault private immutable vault;
    GyroKind private immutable kind;
    uint256 public getSwapFeePercentage;
    bool private paused;
    address[] private tokens;
    IRateProvider[] private rateProviders;
    uint256[] private scales;
    int256[] private parameters;

    modifier only(address account) {
        if (msg.sender != account) revert Unauthorized();
        _;
    }

    constructor(
        IBalancerVault vault_,
        GyroKind kind_,
        address[] memory tokens_,
        int256[] memory parameters_,
        IRateProvider[] memory rateProviders_,
        uint256 fee,
        address owner
    ) {
        (vault, kind, getOwner, getSwapFeePercentage) = (vault_, kind_, owner, fee);
        (tokens, parameters, rateProviders) = (tokens_, parameters_, rateProviders_);
        for (uint256 i = 0; i < tokens_.length; ++i) {
            scales.push(10 ** (36 - uint256(IDecimals(tokens_[i]).decimals())));
        }
        bytes32 id = vault_.registerPool(kind_ == GyroKind.ThreeClp ? 1 : 2);
        vault_.registerTokens(id, tokens_, new address[](tokens_.length));
        getPoolId = id;
    }

    function setSwapFeePercentage(uint256 fee) external only(getOwner) {
        getSwapFeePercentage = fee;
    }

    function setPaused(bool isPaused) external only(getOwner) {
        paused = isPaused;
    }

    function getPausedState() external view returns (bool, uint256, uint256) {
        return (paused, 0, 0);
    }

    function getSqrtParameters() external view returns (int256[2] memory) {
        if (kind != GyroKind.TwoClp) revert WrongKind();
        return [parameters[0], parameters[1]];
    }

    function getRoot3Alpha() external view returns (int256) {
        if (kind != GyroKind.ThreeClp) revert WrongKind();
        return parameters[0];
    }

    function getECLPParams() external view returns (Params memory params, DerivedParams memory derived) {
        Ellipse memory e = _ellipse();
        params = Params(0, 0, e.c, e.s, e.lambda);
        derived = DerivedParams(Vector2(e.alphaX, e.alphaY), Vector2(e.betaX, e.betaY), e.u, e.v, e.w, e.z, e.dSq);
    }

    function rateProvider0() external view returns (IRateProvider) {
        return rateProviders[0];
    }

    function rateProvider1() external view returns (IRateProvider) {
        return rateProviders[1];
    }

    function getTokenRates() external view returns (uint256, uint256) {
        return (_rate(0), _rate(1));
    }

    function onSwap(SwapRequest calldata request, uint256 heldIn, uint256 heldOut)
        external
        view
        only(address(vault))
        returns (uint256)
    {
        if (paused) revert Paused();
        (uint256 sell, uint256 buy) = (_indexOf(request.tokenIn), _indexOf(request.tokenOut));
        (uint256 factorIn, uint256 factorOut) = (_factor(sell), _factor(buy));
        uint256[2] memory held = [heldIn.mulDown(factorIn), heldOut.mulDown(factorOut)];
        if (request.kind == 0) {
            uint256 net = request.amount - request.amount.mulUp(getSwapFeePercentage);
            return _swapped(sell, buy, held, net.mulDown(factorIn), false).divDown(factorOut);
        }
        uint256 cost = _swapped(sell, buy, held, request.amount.mulDown(factorOut), true).divUp(factorIn);
        return cost.divUp(1e18 - getSwapFeePercentage);
    }

    function onJoinPool(bytes32, address, address, uint256[] calldata held, uint256, uint256, bytes calldata userData)
        external
        view
        only(address(vault))
        returns (uint256[] memory amounts, uint256[] memory fees)
    {
        (, amounts) = abi.decode(userData, (uint256, uint256[]));
        fees = new uint256[](held.length);
    }

    function onExitPool(bytes32, address, address, uint256[] calldata held, uint256, uint256, bytes calldata)
        external
        view
        only(address(vault))
        returns (uint256[] memory amounts, uint256[] memory fees)
    {
        amounts = new uint256[](held.length);
        for (uint256 i = 0; i < held.length; ++i) amounts[i] = held[i] / 1000;
        fees = new uint256[](held.length);
    }

    function _swapped(uint256 sell, uint256 buy, uint256[2] memory held, uint256 amount, bool exactOut)
        private
        view
        returns (uint256)
    {
        if (kind == GyroKind.Eclp) {
            int256[2] memory both;
            (both[sell], both[buy]) = (int256(held[0]), int256(held[1]));
            return DevnetGyroEllipse.swapped(_ellipse(), both, sell == 0, int256(amount), exactOut);
        }
        (uint256 offsetIn, uint256 offsetOut) = _offsets(sell, buy, held);
        return exactOut
            ? DevnetGyroMath.cost(held[0], held[1], amount, offsetIn, offsetOut)
            : DevnetGyroMath.paid(held[0], held[1], amount, offsetIn, offsetOut);
    }

    function _offsets(uint256 sell, uint256 buy, uint256[2] memory held) private view returns (uint256, uint256) {
        if (kind == GyroKind.ThreeClp) {
            uint256 third = 3 - sell - buy;
            (uint256 cash, uint256 managed,,) = vault.getPoolTokenInfo(getPoolId, tokens[third]);
            uint256 other = (cash + managed).mulDown(_factor(third));
            uint256 offset = DevnetGyroMath.offset(held[0], held[1], other, uint256(parameters[0]));
            return (offset, offset);
        }
        (uint256 alpha, uint256 beta) = (uint256(parameters[0]), uint256(parameters[1]));
        // Of two tokens the first one's balance is the one in where that is sold, else the one out: at the index of the sold token.
        (uint256 x, uint256 y) = DevnetGyroMath.offsets(held[sell], held[buy], alpha, beta);
        return sell == 0 ? (x, y) : (y, x);
    }

    function _factor(uint256 index) private view returns (uint256) {
        return scales[index].mulDown(_rate(index));
    }

    function _rate(uint256 index) private view returns (uint256) {
        IRateProvider provider = rateProviders[index];
        return address(provider) == address(0) ? 1e18 : provider.getRate();
    }

    function _indexOf(address token) private view returns (uint256 index) {
        while (tokens[index] != token) ++index;
    }

    function _ellipse() private view returns (Ellipse memory e) {
        if (kind != GyroKind.Eclp) revert WrongKind();
        int256[] memory p = parameters;
        e = Ellipse(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11]);
    }
}
