// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// A price stability module with the interface of Maker's DssLitePsm: a stablecoin of 18 decimals (`dai`) against another
/// (`gem`), one to one but for a fee per direction, out of what it holds. Both amounts are asked for in gem: `sellGem`
/// takes `gemAmt` and pays in dai, `buyGem` takes what is due in dai and pays `gemAmt`. Both draw from their caller.
/// The gem lies in a pocket; this contract is its own.
contract DevnetPsm {
    using SafeERC20 for IERC20;

    event SellGem(address indexed owner, uint256 value, uint256 fee);
    event BuyGem(address indexed owner, uint256 value, uint256 fee);
    event File(bytes32 indexed what, uint256 data);

    uint256 private constant WAD = 1e18;
    /// As a fee: nobody may trade in this direction.
    uint256 public constant HALTED = type(uint256).max;

    address public immutable owner;
    IERC20 public immutable dai;
    IERC20 public immutable gem;
    uint256 public immutable to18ConversionFactor;

    /// Of 10^18 parts of what is sold for dai; of what is bought with dai.
    uint256 public tin;
    uint256 public tout;

    constructor(IERC20 dai_, IERC20 gem_, uint256 tin_, uint256 tout_, address owner_) {
        (dai, gem, tin, tout, owner) = (dai_, gem_, tin_, tout_, owner_);
        to18ConversionFactor = 10 ** (18 - IERC20Metadata(address(gem_)).decimals());
    }

    function pocket() external view returns (address) {
        return address(this);
    }

    function file(bytes32 what, uint256 data) external {
        require(msg.sender == owner, "not the owner");
        require(data == HALTED || data <= WAD, "fee out of range");
        if (what == "tin") tin = data;
        else if (what == "tout") tout = data;
        else revert("no such figure");
        emit File(what, data);
    }

    function sellGem(address usr, uint256 gemAmt) external returns (uint256 daiOutWad) {
        require(tin != HALTED, "selling is halted");
        daiOutWad = gemAmt * to18ConversionFactor;
        uint256 fee = daiOutWad * tin / WAD;
        daiOutWad -= fee;
        gem.safeTransferFrom(msg.sender, address(this), gemAmt);
        dai.safeTransfer(usr, daiOutWad);
        emit SellGem(usr, gemAmt, fee);
    }

    function buyGem(address usr, uint256 gemAmt) external returns (uint256 daiInWad) {
        require(tout != HALTED, "buying is halted");
        daiInWad = gemAmt * to18ConversionFactor;
        uint256 fee = daiInWad * tout / WAD;
        daiInWad += fee;
        dai.safeTransferFrom(msg.sender, address(this), daiInWad);
        gem.safeTransfer(usr, gemAmt);
        emit BuyGem(usr, gemAmt, fee);
    }
}
