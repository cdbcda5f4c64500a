// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {DevnetBinMath} from "./DevnetBinMath.sol";
import {DevnetBinTree} from "./DevnetBinTree.sol";

interface IBinToken {
    function balanceOf(address owner) external view returns (uint256);
}

interface IBinHooks {
    function beforeSwap(address sender, address to, bool xForY, bytes32 amountsIn) external returns (bytes4);
}

/// What the fee of a pair is set by.
struct BinFeeTerms {
    uint16 baseFactor;
    uint16 filterPeriod;
    uint16 decayPeriod;
    uint16 reductionFactor;
    uint24 variableFeeControl;
    uint16 protocolShare;
    uint24 maxVolatilityAccumulator;
}

/// A pair of bins with the interface of Liquidity Book 2.1 and 2.2, written from the documented formulas. What it keeps it keeps
/// packed as they do, so that swaps use about their gas. Liquidity belongs to nobody: the factory's owner adds and takes it.
contract DevnetBinPair {
    using DevnetBinTree for DevnetBinTree.Tree;

    event Swap(
        address indexed sender,
        address indexed to,
        uint24 id,
        bytes32 amountsIn,
        bytes32 amountsOut,
        uint24 volatilityAccumulator,
        bytes32 totalFees,
        bytes32 protocolFees
    );
    event DepositedToBins(address indexed sender, address indexed to, uint256[] ids, bytes32[] amounts);
    event WithdrawnFromBins(address indexed sender, address indexed to, uint256[] ids, bytes32[] amounts);
    event CompositionFees(address indexed sender, uint24 id, bytes32 totalFees, bytes32 protocolFees);
    event FlashLoan(
        address indexed sender,
        address indexed receiver,
        uint24 activeId,
        bytes32 amounts,
        bytes32 totalFees,
        bytes32 protocolFees
    );
    event StaticFeeParametersSet(
        address indexed sender,
        uint16 baseFactor,
        uint16 filterPeriod,
        uint16 decayPeriod,
        uint16 reductionFactor,
        uint24 variableFeeControl,
        uint16 protocolShare,
        uint24 maxVolatilityAccumulator
    );
    event ForcedDecay(address indexed sender, uint24 idReference, uint24 volatilityReference);
    event HooksParametersSet(address indexed sender, bytes32 hooksParameters);

    /// How the last swaps have moved the price.
    struct Moves {
        uint24 volatilityAccumulator;
        uint24 volatilityReference;
        uint24 idReference;
        uint40 timeOfLastUpdate;
        uint24 activeId;
    }

    /// One swap on its way.
    struct Walk {
        uint256 left;
        uint256 out;
        uint256 id;
        uint256 protocolFees;
        BinFeeTerms terms;
        Moves moves;
    }

    uint256 private constant BEFORE_SWAP = 1 << 160;

    address public immutable getFactory;
    address public immutable getTokenX;
    address public immutable getTokenY;
    uint16 public immutable getBinStep;
    /// Version 2.2 has hooks, and gives what flash loans pay to the protocol; 2.1 leaves it in the active bin.
    bool public immutable hooked;

    BinFeeTerms private _terms;
    Moves private _moves;
    /// All that the bins and the protocol have: X in the low half of a word, Y in the high one, as everywhere.
    bytes32 private _reserves;
    bytes32 private _protocolFees;
    mapping(uint256 => bytes32) private _bins;
    DevnetBinTree.Tree private _tree;
    bytes32 private _hooks;
    uint256 private _lock = 1;

    constructor(address x, address y, uint16 binStep, uint24 activeId, BinFeeTerms memory terms, bool hooked_) {
        (getFactory, getTokenX, getTokenY, getBinStep, hooked) = (msg.sender, x, y, binStep, hooked_);
        (_moves.activeId, _moves.idReference) = (activeId, activeId);
        DevnetBinMath.priceOf(activeId, binStep);
        _setTerms(terms);
    }

    modifier locked() {
        require(_lock == 1, "locked");
        _lock = 2;
        _;
        _lock = 1;
    }

    modifier onlyFactory() {
        require(msg.sender == getFactory, "not the factory");
        _;
    }

    // ------------------------------------------------------------------------------------------------- views

    function getActiveId() external view returns (uint24) {
        return _moves.activeId;
    }

    function getBin(uint24 id) external view returns (uint128, uint128) {
        return _unpacked(_bins[id]);
    }

    function getReserves() external view returns (uint128, uint128) {
        return _unpacked(bytes32(uint256(_reserves) - uint256(_protocolFees)));
    }

    function getNextNonEmptyBin(bool xForY, uint24 id) external view returns (uint24) {
        return uint24(_tree.next(id, xForY));
    }

    function getStaticFeeParameters() external view returns (BinFeeTerms memory) {
        return _terms;
    }

    function getVariableFeeParameters() external view returns (uint24, uint24, uint24, uint40) {
        Moves memory moves = _moves;
        return (moves.volatilityAccumulator, moves.volatilityReference, moves.idReference, moves.timeOfLastUpdate);
    }

    function getLBHooksParameters() external view returns (bytes32) {
        require(hooked, "no hooks");
        return _hooks;
    }

    /// What has to go in for an amount to come out, as far as there is as much.
    function getSwapIn(uint128 amountOut, bool xForY) external view returns (uint128, uint128, uint128) {
        (Walk memory walk, uint256 paid, uint256 fees) = (_begin(amountOut), 0, 0);
        while (true) {
            uint256 reserve = _of(_bins[walk.id], !xForY);
            if (reserve != 0) {
                uint256 amount = walk.left < reserve ? walk.left : reserve;
                uint256 net = DevnetBinMath.costOf(amount, DevnetBinMath.priceOf(walk.id, getBinStep), xForY);
                uint256 fee = DevnetBinMath.feeOnTop(net, _feeIn(walk));
                (walk.left, paid, fees) = (walk.left - amount, paid + net + fee, fees + fee);
            }
            if (walk.left == 0 || !_advance(walk, xForY)) break;
        }
        return (uint128(paid), uint128(walk.left), uint128(fees));
    }

    /// What comes out for an amount, and what of it is left where that is more than all bins take.
    function getSwapOut(uint128 amountIn, bool xForY) external view returns (uint128, uint128, uint128) {
        (Walk memory walk, uint256 fees) = (_begin(amountIn), 0);
        while (true) {
            (uint256 paid, uint256 got, uint256 fee) = _tradeIn(walk, xForY);
            (walk.left, walk.out, fees) = (walk.left - paid, walk.out + got, fees + fee);
            if (walk.left == 0 || !_advance(walk, xForY)) break;
        }
        return (uint128(walk.left), uint128(walk.out), uint128(fees));
    }

    // ------------------------------------------------------------------------------------------------- trade

    /// Swaps what was sent here beforehand.
    function swap(bool xForY, address to) external locked returns (bytes32 amountsOut) {
        bytes32 reserves = _reserves;
        uint256 amount = IBinToken(_token(xForY)).balanceOf(address(this)) - _of(reserves, xForY);
        require(amount != 0, "nothing is sold");
        bytes32 hooks = _hooks;
        if (uint256(hooks) & BEFORE_SWAP != 0) {
            IBinHooks(address(uint160(uint256(hooks)))).beforeSwap(msg.sender, to, xForY, _packed(amount, xForY));
        }
        Walk memory walk = _begin(amount);
        while (true) {
            _swapIn(walk, xForY, to);
            if (walk.left == 0) break;
            require(_advance(walk, xForY), "out of liquidity");
        }
        require(walk.out != 0, "nothing is bought");
        amountsOut = _packed(walk.out, !xForY);
        _reserves = bytes32(uint256(reserves) + uint256(_packed(amount, xForY)) - uint256(amountsOut));
        if (walk.protocolFees != 0) _protocolFees = bytes32(uint256(_protocolFees) + walk.protocolFees);
        walk.moves.activeId = uint24(walk.id);
        _moves = walk.moves;
        _send(_token(!xForY), to, walk.out);
    }

    function _swapIn(Walk memory walk, bool xForY, address to) private {
        (uint256 paid, uint256 got, uint256 fee) = _tradeIn(walk, xForY);
        if (paid == 0) return;
        bytes32 bin = _bins[walk.id];
        uint256 protocolFee = fee * walk.terms.protocolShare / DevnetBinMath.BPS;
        bytes32 stays = _packed(paid - protocolFee, xForY);
        bytes32 out = _packed(got, !xForY);
        _bins[walk.id] = bytes32(uint256(bin) + uint256(stays) - uint256(out));
        (walk.left, walk.out) = (walk.left - paid, walk.out + got);
        bytes32 taken = _packed(protocolFee, xForY);
        walk.protocolFees += uint256(taken);
        emit Swap(
            msg.sender, to, uint24(walk.id), stays, out, walk.moves.volatilityAccumulator, _packed(fee, xForY), taken
        );
    }

    function _begin(uint256 amount) private view returns (Walk memory walk) {
        Moves memory moves = _moves;
        BinFeeTerms memory terms = _terms;
        uint256 passed = block.timestamp - moves.timeOfLastUpdate;
        if (passed >= terms.filterPeriod) {
            moves.idReference = moves.activeId;
            moves.volatilityReference = passed < terms.decayPeriod ? _reduced(moves, terms) : 0;
        }
        moves.timeOfLastUpdate = uint40(block.timestamp);
        return Walk(amount, 0, moves.activeId, 0, terms, moves);
    }

    function _advance(Walk memory walk, bool xForY) private view returns (bool) {
        walk.id = _tree.next(walk.id, xForY);
        return walk.id != 0 && walk.id != type(uint24).max;
    }

    /// What a swap pays and gets in the bin that it has come to. One that has nothing to give is passed by.
    function _tradeIn(Walk memory walk, bool xForY) private view returns (uint256 paid, uint256 got, uint256 fee) {
        bytes32 bin = _bins[walk.id];
        uint256 reserve = _of(bin, !xForY);
        if (reserve == 0) return (0, 0, 0);
        uint256 price = DevnetBinMath.priceOf(walk.id, getBinStep);
        (paid, got, fee) = DevnetBinMath.tradeIn(reserve, price, _feeIn(walk), xForY, walk.left);
        uint256 sold = _of(bin, xForY) + paid;
        if (hooked) DevnetBinMath.requireRoom(xForY ? sold : reserve - got, xForY ? reserve - got : sold, price);
    }

    /// Counts the volatility of the bin that a swap has come to. Answers the fee there, of 10^18 parts.
    function _feeIn(Walk memory walk) private view returns (uint256) {
        Moves memory moves = walk.moves;
        uint256 moved = walk.id > moves.idReference ? walk.id - moves.idReference : moves.idReference - walk.id;
        uint256 volatility = moves.volatilityReference + moved * DevnetBinMath.BPS;
        if (volatility > walk.terms.maxVolatilityAccumulator) volatility = walk.terms.maxVolatilityAccumulator;
        moves.volatilityAccumulator = uint24(volatility);
        return _feeAt(walk.terms, volatility);
    }

    function _feeAt(BinFeeTerms memory terms, uint256 volatility) private view returns (uint256) {
        uint256 base = uint256(terms.baseFactor) * getBinStep * 1e10;
        uint256 steps = volatility * getBinStep;
        return base + (steps * steps * terms.variableFeeControl + 99) / 100;
    }

    function _reduced(Moves memory moves, BinFeeTerms memory terms) private pure returns (uint24) {
        return uint24(uint256(moves.volatilityAccumulator) * terms.reductionFactor / DevnetBinMath.BPS);
    }

    // ---------------------------------------------------------------------------------------------- liquidity

    /// Puts what was sent here beforehand into bins: below the active one Y alone, above it X alone. One token alone into an
    /// active bin that has the other is a swap in disguise, and pays its fee.
    function deposit(uint256[] calldata ids, bytes32[] calldata amounts) external locked {
        bytes32[] memory kept = new bytes32[](ids.length);
        for (uint256 i = 0; i < ids.length; ++i) {
            kept[i] = _deposit(ids[i], amounts[i]);
            _reserves = bytes32(uint256(_reserves) + uint256(amounts[i]));
        }
        (uint128 x, uint128 y) = _unpacked(_reserves);
        require(IBinToken(getTokenX).balanceOf(address(this)) >= x, "X is missing");
        require(IBinToken(getTokenY).balanceOf(address(this)) >= y, "Y is missing");
        emit DepositedToBins(msg.sender, msg.sender, ids, kept);
    }

    function _deposit(uint256 id, bytes32 amounts) private returns (bytes32 kept) {
        (uint128 x, uint128 y) = _unpacked(amounts);
        uint256 activeId = _moves.activeId;
        require((id >= activeId || x == 0) && (id <= activeId || y == 0) && (x != 0 || y != 0), "not for this bin");
        bytes32 bin = _bins[id];
        kept = amounts;
        if (id == activeId && (x == 0 && _of(bin, true) != 0 || y == 0 && _of(bin, false) != 0)) {
            kept = bytes32(uint256(amounts) - uint256(_takeCompositionFee(x == 0 ? y : x, y == 0)));
        }
        if (bin == 0) _tree.add(id);
        _bins[id] = bytes32(uint256(bin) + uint256(kept));
        (x, y) = _unpacked(_bins[id]);
        DevnetBinMath.requireRoom(x, y, DevnetBinMath.priceOf(id, getBinStep));
    }

    /// Answers what of the fee leaves the bin.
    function _takeCompositionFee(uint256 amount, bool isX) private returns (bytes32 taken) {
        Walk memory walk = _begin(amount);
        uint256 fee = _feeIn(walk);
        fee = amount * fee * (fee + DevnetBinMath.ONE) / DevnetBinMath.ONE ** 2;
        taken = _packed(fee * walk.terms.protocolShare / DevnetBinMath.BPS, isX);
        _protocolFees = bytes32(uint256(_protocolFees) + uint256(taken));
        _moves = walk.moves;
        emit CompositionFees(msg.sender, uint24(walk.id), _packed(fee, isX), taken);
    }

    /// Takes a part of bins, of 10^18; all of one takes it out of the set.
    function withdraw(address to, uint256[] calldata ids, uint256[] calldata parts) external locked {
        require(DevnetBinFactoryOwner(getFactory).owner() == msg.sender, "not the owner");
        bytes32[] memory taken = new bytes32[](ids.length);
        for (uint256 i = 0; i < ids.length; ++i) {
            (uint128 x, uint128 y) = _unpacked(_bins[ids[i]]);
            uint256 takenX = x * parts[i] / DevnetBinMath.ONE;
            uint256 takenY = y * parts[i] / DevnetBinMath.ONE;
            taken[i] = bytes32(takenX | takenY << 128);
            require(taken[i] != 0, "nothing is taken");
            _bins[ids[i]] = bytes32(uint256(_bins[ids[i]]) - uint256(taken[i]));
            if (_bins[ids[i]] == 0) _tree.remove(ids[i]);
            _reserves = bytes32(uint256(_reserves) - uint256(taken[i]));
            if (takenX != 0) _send(getTokenX, to, takenX);
            if (takenY != 0) _send(getTokenY, to, takenY);
        }
        emit WithdrawnFromBins(msg.sender, to, ids, taken);
    }

    /// Takes what was sent here beforehand as what a flash loan has paid.
    function takeLoanFee() external locked {
        (uint128 x, uint128 y) = _unpacked(_reserves);
        uint256 moreX = IBinToken(getTokenX).balanceOf(address(this)) - x;
        uint256 moreY = IBinToken(getTokenY).balanceOf(address(this)) - y;
        uint256 fees = moreX | moreY << 128;
        uint256 id = _moves.activeId;
        uint256 share = hooked || _bins[id] == 0 ? DevnetBinMath.BPS : _terms.protocolShare;
        uint256 taken = moreX * share / DevnetBinMath.BPS | (moreY * share / DevnetBinMath.BPS) << 128;
        _reserves = bytes32(uint256(_reserves) + fees);
        _protocolFees = bytes32(uint256(_protocolFees) + taken);
        if (fees != taken) _bins[id] = bytes32(uint256(_bins[id]) + fees - taken);
        emit FlashLoan(msg.sender, msg.sender, uint24(id), 0, bytes32(fees), bytes32(taken));
    }

    // ----------------------------------------------------------------------------------------------- factory

    function setStaticFeeParameters(BinFeeTerms calldata terms) external onlyFactory {
        _setTerms(terms);
    }

    function forceDecay() external onlyFactory {
        Moves memory moves = _moves;
        emit ForcedDecay(msg.sender, moves.idReference, moves.volatilityReference);
        (moves.idReference, moves.volatilityReference) = (moves.activeId, _reduced(moves, _terms));
        _moves = moves;
    }

    function setHooksParameters(bytes32 hooks) external onlyFactory {
        require(hooked, "no hooks");
        _hooks = hooks;
        emit HooksParametersSet(msg.sender, hooks);
    }

    function _setTerms(BinFeeTerms memory terms) private {
        require(terms.filterPeriod <= terms.decayPeriod && terms.decayPeriod < 1 << 12, "periods");
        require(terms.reductionFactor <= DevnetBinMath.BPS && terms.protocolShare <= 2_500, "shares");
        require(terms.maxVolatilityAccumulator < 1 << 20, "volatility");
        require(_feeAt(terms, terms.maxVolatilityAccumulator) <= DevnetBinMath.MAX_FEE, "fee too large");
        _terms = terms;
        emit StaticFeeParametersSet(
            msg.sender,
            terms.baseFactor,
            terms.filterPeriod,
            terms.decayPeriod,
            terms.reductionFactor,
            terms.variableFeeControl,
            terms.protocolShare,
            terms.maxVolatilityAccumulator
        );
    }

    // ------------------------------------------------------------------------------------------------- words

    function _token(bool isX) private view returns (address) {
        return isX ? getTokenX : getTokenY;
    }

    function _of(bytes32 amounts, bool x) private pure returns (uint256) {
        return x ? uint128(uint256(amounts)) : uint256(amounts) >> 128;
    }

    function _packed(uint256 amount, bool isX) private pure returns (bytes32) {
        require(amount <= type(uint128).max, "too much");
        return bytes32(isX ? amount : amount << 128);
    }

    function _unpacked(bytes32 amounts) private pure returns (uint128 x, uint128 y) {
        return (uint128(uint256(amounts)), uint128(uint256(amounts) >> 128));
    }

    function _send(address token, address to, uint256 amount) private {
        (bool done, bytes memory answer) = token.call(abi.encodeWithSignature("transfer(address,uint256)", to, amount));
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "transfer failed");
    }
}

interface DevnetBinFactoryOwner {
    function owner() external view returns (address);
}
