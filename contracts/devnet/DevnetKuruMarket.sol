// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {DevnetKuruAccount} from "./DevnetKuruAccount.sol";

struct KuruTerms {
    address baseAsset;
    uint256 baseDecimals;
    address quoteAsset;
    uint256 quoteDecimals;
    uint96 sizePrecision;
    uint32 pricePrecision;
    uint256 takerFeeBps;
    uint96 spread;
}

/// A market that takers meet as one of Kuru's, by its published formulas: levels, one order at each, and a vault between them.
/// Whoever asks may add and take away levels and set the vault; makers' money is the margin account's, and nobody's in it.
contract DevnetKuruMarket {
    using Math for uint256;
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    error MarketStateError();
    error NativeAssetInsufficient();
    error NativeAssetSurplus();
    error NativeAssetNotRequired();
    error InsufficientLiquidity();
    error SlippageExceeded();

    event MarketStateUpdated(uint8 previousState, uint8 newState);
    event OrderCreated(uint40 orderId, address owner, uint96 size, uint32 price, bool isBuy);
    event OrderCanceled(uint40 orderId, address owner, uint32 price, uint96 size, bool isBuy);
    event Trade(
        uint40 orderId,
        address makerAddress,
        bool isBuy,
        uint256 price,
        uint96 updatedSize,
        address takerAddress,
        address txOrigin,
        uint96 filledSize
    );
    event VaultParamsUpdated(
        uint96 askSize, uint96 askFilled, uint96 bidSize, uint96 bidFilled, uint256 askPrice, uint256 bidPrice
    );

    struct Level {
        uint32 price;
        uint96 size;
    }

    struct VaultOrder {
        uint256 price;
        uint96 size;
        uint96 filled;
    }

    uint256 private constant WAD = 1e18;
    uint256 private constant BPS = 10_000;

    KuruTerms private terms;
    DevnetKuruAccount private immutable account;
    uint8 public marketState;
    uint40 private lastOrder;
    VaultOrder private bid;
    VaultOrder private ask;
    /// The best ones last.
    Level[] private bids;
    Level[] private asks;

    constructor(KuruTerms memory terms_, DevnetKuruAccount account_) {
        terms = terms_;
        account = account_;
        ask.price = type(uint256).max;
    }

    // -------------------------------------------------------------------------------------------------- makers

    function toggleMarket(uint8 state) external {
        emit MarketStateUpdated(marketState, state);
        marketState = state;
    }

    function addBuyOrder(uint32 price, uint96 size, bool) external {
        _place(bids, price, size, true);
    }

    function addSellOrder(uint32 price, uint96 size, bool) external {
        _place(asks, price, size, false);
    }

    function removeLevel(uint32 price, bool isBuy) external {
        Level[] storage levels = isBuy ? bids : asks;
        uint256 at = 0;
        while (levels[at].price != price) ++at;
        emit OrderCanceled(0, msg.sender, price, levels[at].size, isBuy);
        for (; at + 1 < levels.length; ++at) levels[at] = levels[at + 1];
        levels.pop();
    }

    function updateVaultOrdSz(uint96 askSize, uint96 bidSize, uint256 askPrice, uint256 bidPrice, bool anew) external {
        (ask.size, bid.size) = (askSize, bidSize);
        if (anew) (ask.filled, bid.filled) = (0, 0);
        if (ask.price == type(uint256).max) ask.price = askPrice;
        if (bid.price == 0) bid.price = bidPrice;
        emit VaultParamsUpdated(askSize, ask.filled, bidSize, bid.filled, ask.price, bid.price);
    }

    function _place(Level[] storage levels, uint32 price, uint96 size, bool isBuy) private {
        emit OrderCreated(++lastOrder, msg.sender, size, price, isBuy);
        for (uint256 at = levels.length; at != 0; --at) {
            if (levels[at - 1].price != price) continue;
            levels[at - 1].size += size;
            return;
        }
        levels.push(Level(price, size));
        for (uint256 at = levels.length - 1; at != 0; --at) {
            Level memory before = levels[at - 1];
            if (isBuy ? before.price < price : before.price > price) return;
            levels[at - 1] = levels[at];
            levels[at] = before;
        }
    }

    // -------------------------------------------------------------------------------------------------- takers

    function placeAndExecuteMarketBuy(uint96 brought, uint256 least, bool, bool orNothing)
        external
        payable
        returns (uint256 got)
    {
        uint256 unit = 10 ** terms.quoteDecimals;
        uint256 precision = terms.pricePrecision;
        _draw(terms.quoteAsset, brought * unit / precision, (uint256(brought) + 1) * unit / precision);
        (uint256 left, uint256 size) = _buy(brought);
        if (left != 0 && orNothing) revert InsufficientLiquidity();
        got = _pay(terms.baseAsset, size * 10 ** terms.baseDecimals / terms.sizePrecision, least);
    }

    function placeAndExecuteMarketSell(uint96 size, uint256 least, bool, bool orNothing)
        external
        payable
        returns (uint256 got)
    {
        uint256 unit = 10 ** terms.baseDecimals;
        uint256 precision = terms.sizePrecision;
        _draw(terms.baseAsset, size * unit / precision, (uint256(size) + 1) * unit / precision);
        (uint256 left, uint256 ofBook, uint256 ofVault) = _sell(size);
        if (left != 0 && orNothing) revert InsufficientLiquidity();
        unit = 10 ** terms.quoteDecimals;
        got = _pay(terms.quoteAsset, ofBook * unit / terms.pricePrecision + ofVault * unit / WAD, least);
    }

    function _draw(address asset, uint256 amount, uint256 tooMuch) private {
        require(marketState == 0, MarketStateError());
        if (asset == address(0)) {
            require(msg.value >= amount, NativeAssetInsufficient());
            require(msg.value < tooMuch, NativeAssetSurplus());
            (bool done,) = address(account).call{value: msg.value}("");
            require(done, "not kept");
        } else {
            require(msg.value == 0, NativeAssetNotRequired());
            IERC20(asset).safeTransferFrom(msg.sender, address(account), amount);
        }
    }

    function _pay(address asset, uint256 credit, uint256 least) private returns (uint256 got) {
        got = credit - credit.mulDiv(terms.takerFeeBps, BPS, Math.Rounding.Ceil);
        if (got < least) revert SlippageExceeded();
        account.pay(asset, msg.sender, got);
    }

    /// What is left of the quote token, and the size bought.
    function _buy(uint256 left) private returns (uint256, uint256 size) {
        (uint256 sizes, uint256 prices) = (terms.sizePrecision, terms.pricePrecision);
        while (left != 0) {
            bool hasLevel = asks.length != 0;
            uint256 edge = hasLevel ? asks[asks.length - 1].price * WAD / prices : type(uint256).max;
            if (ask.size != 0 && ask.price < edge) {
                uint256 wad;
                uint256 bought;
                (wad, bought) = _buyOfVault(edge, left * WAD / prices);
                (left, size) = (wad * prices / WAD, size + bought);
            } else if (hasLevel) {
                uint256 price = asks[asks.length - 1].price;
                uint256 payable_ = uint256((left * sizes).toUint96()) / price;
                uint256 taken = _take(asks, payable_, false);
                (left, size) = (price * (payable_ - taken) / sizes, size + taken);
            } else {
                break;
            }
        }
        return (left, size);
    }

    function _buyOfVault(uint256 edge, uint256 brought) private returns (uint256, uint256 size) {
        (uint256 sizes, uint256 spread) = (terms.sizePrecision, terms.spread);
        VaultOrder memory order = ask;
        while (order.price < edge && brought != 0) {
            uint96 open = order.size - order.filled;
            uint256 cost = order.price.mulDiv(open, sizes, Math.Rounding.Ceil);
            if (cost > brought) {
                uint96 taken = (brought * sizes / order.price).toUint96();
                _tell(true, order.price, open - taken, taken);
                (order.filled, size, brought) = (order.filled + taken, size + taken, 0);
            } else {
                _tell(true, order.price, 0, open);
                (brought, size) = (brought - cost, size + open);
                order.price = _rounded(order.price * (BPS + spread), BPS);
                (order.size, order.filled) = (uint96(order.size * 2 * BPS / (2 * BPS + spread)), 0);
                bid.filled = uint96(bid.filled * BPS / (BPS + spread));
            }
        }
        if (order.price != ask.price) {
            bid.price = _rounded(order.price * BPS, BPS + spread);
            bid.size = uint256(order.size).mulDiv(2 * BPS + spread, 2 * BPS).toUint96();
        }
        ask = order;
        return (brought, size);
    }

    /// What is left of the size, what levels pay in parts of the price precision, and what the vault does in parts of 1e18.
    function _sell(uint256 left) private returns (uint256, uint256 ofBook, uint256 ofVault) {
        (uint256 sizes, uint256 prices) = (terms.sizePrecision, terms.pricePrecision);
        while (left != 0) {
            bool hasLevel = bids.length != 0;
            uint256 edge = hasLevel ? bids[bids.length - 1].price * WAD / prices : 0;
            if (bid.size != 0 && bid.price > edge) {
                uint256 paid;
                (left, paid) = _sellToVault(edge, left);
                ofVault += paid;
            } else if (hasLevel) {
                uint256 price = bids[bids.length - 1].price;
                uint256 taken = _take(bids, left, true);
                (left, ofBook) = (left - taken, ofBook + price * taken / sizes);
            } else {
                break;
            }
        }
        return (left, ofBook, ofVault);
    }

    function _sellToVault(uint256 edge, uint256 left) private returns (uint256, uint256 paid) {
        (uint256 sizes, uint256 spread) = (terms.sizePrecision, terms.spread);
        VaultOrder memory order = bid;
        while (order.price > edge && left != 0) {
            uint96 open = order.size - order.filled;
            uint96 taken = uint96(left < open ? left : open);
            _tell(false, order.price, open - taken, taken);
            (left, paid) = (left - taken, paid + order.price.mulDiv(taken, sizes));
            if (taken < open) {
                order.filled += taken;
            } else {
                order.price = _rounded(order.price * BPS, BPS + spread);
                (order.size, order.filled) = (uint256(order.size).mulDiv(2 * BPS + spread, 2 * BPS).toUint96(), 0);
            }
        }
        if (order.price != bid.price) {
            ask.price = _rounded(order.price * (BPS + spread), BPS);
            ask.size = uint96(order.size * 2 * BPS / (2 * BPS + spread));
        }
        bid = order;
        return (left, paid);
    }

    /// Takes no more than `most` off the best level, and that away where nothing is left of it.
    function _take(Level[] storage levels, uint256 most, bool isBuy) private returns (uint96 taken) {
        Level storage level = levels[levels.length - 1];
        (uint96 size, uint32 price) = (level.size, level.price);
        taken = uint96(most < size ? most : size);
        if (taken == size) levels.pop();
        else level.size = size - taken;
        _tell(!isBuy, price * WAD / terms.pricePrecision, size - taken, taken);
    }

    function _tell(bool isBuy, uint256 price, uint96 left, uint96 taken) private {
        emit Trade(0, address(this), isBuy, price, left, msg.sender, tx.origin, taken);
    }

    function _rounded(uint256 value, uint256 divisor) private pure returns (uint256) {
        return (value + divisor / 2) / divisor;
    }

    // --------------------------------------------------------------------------------------------------- views

    function getMarketParams()
        external
        view
        returns (uint32, uint96, address, uint256, address, uint256, uint32, uint96, uint96, uint256, uint256)
    {
        KuruTerms memory all = terms;
        return (
            all.pricePrecision,
            all.sizePrecision,
            all.baseAsset,
            all.baseDecimals,
            all.quoteAsset,
            all.quoteDecimals,
            1,
            1,
            type(uint96).max,
            all.takerFeeBps,
            0
        );
    }

    function getVaultParams()
        external
        view
        returns (address, uint256, uint96, uint256, uint96, uint96, uint96, uint96)
    {
        return (address(this), bid.price, bid.filled, ask.price, ask.filled, bid.size, ask.size, terms.spread);
    }

    /// The block, prices and sizes of bids, a zero, prices and sizes of asks: no more of each than that.
    function getL2Book(uint32 mostBids, uint32 mostAsks) external view returns (bytes memory) {
        return bytes.concat(abi.encode(block.number), _told(bids, mostBids), abi.encode(0), _told(asks, mostAsks));
    }

    function _told(Level[] storage levels, uint256 most) private view returns (bytes memory told) {
        for (uint256 at = levels.length; at != 0 && most != 0; --most) {
            Level memory level = levels[--at];
            told = bytes.concat(told, abi.encode(level.price, level.size));
        }
    }
}
