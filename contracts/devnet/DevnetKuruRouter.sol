// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {DevnetKuruAccount} from "./DevnetKuruAccount.sol";
import {DevnetKuruMarket, KuruTerms} from "./DevnetKuruMarket.sol";

/// Makes markets of Kuru's kind and announces them as its Router does.
contract DevnetKuruRouter {
    event MarketRegistered(
        address baseAsset,
        address quoteAsset,
        address market,
        address vaultAddress,
        uint32 pricePrecision,
        uint96 sizePrecision,
        uint32 tickSize,
        uint96 minSize,
        uint96 maxSize,
        uint256 takerFeeBps,
        uint256 makerFeeBps,
        uint96 kuruAmmSpread
    );

    struct MarketParams {
        uint32 pricePrecision;
        uint96 sizePrecision;
        address baseAssetAddress;
        uint256 baseAssetDecimals;
        address quoteAssetAddress;
        uint256 quoteAssetDecimals;
    }

    mapping(address market => MarketParams) public verifiedMarket;
    address public immutable marginAccountAddress = address(new DevnetKuruAccount());

    function deployProxy(
        uint8,
        address base,
        address quote,
        uint96 sizePrecision,
        uint32 pricePrecision,
        uint32 tickSize,
        uint96 minSize,
        uint96 maxSize,
        uint256 takerFeeBps,
        uint256 makerFeeBps,
        uint96 spread
    ) external returns (address market) {
        market = _made(KuruTerms(
                base, _decimalsOf(base), quote, _decimalsOf(quote), sizePrecision, pricePrecision, takerFeeBps, spread
            ));
        emit MarketRegistered(
            base,
            quote,
            market,
            market,
            pricePrecision,
            sizePrecision,
            tickSize,
            minSize,
            maxSize,
            takerFeeBps,
            makerFeeBps,
            spread
        );
    }

    function _made(KuruTerms memory terms) private returns (address market) {
        DevnetKuruAccount account = DevnetKuruAccount(payable(marginAccountAddress));
        market = address(new DevnetKuruMarket(terms, account));
        account.updateMarkets(market);
        verifiedMarket[market] = MarketParams(
            terms.pricePrecision,
            terms.sizePrecision,
            terms.baseAsset,
            terms.baseDecimals,
            terms.quoteAsset,
            terms.quoteDecimals
        );
    }

    function _decimalsOf(address asset) private view returns (uint256) {
        return asset == address(0) ? 18 : IERC20Metadata(asset).decimals();
    }
}
