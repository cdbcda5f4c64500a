// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {OrderSettlement} from "../../src/OrderSettlement.sol";
import {vm} from "./Cheats.sol";
import {IExecutorDoor, IGatewayDoor, IWrapped} from "./Doors.sol";

/// The settlement contracts where they stand on every chain, with the code that is shipped (contracts/out).
abstract contract Settlement {
    address internal constant CREATE2_DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    bytes private constant DEPLOYER_CODE =
        hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

    /// Holds the number of the fault that is awake, in contracts that have faults (tools/contracts/faults.ts).
    address private constant FAULT = address(0xfa17);

    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    IGatewayDoor internal gateway;
    IExecutorDoor internal executor;
    OrderSettlement internal orders;
    IWrapped internal weth;
    address[] internal parts;

    function _deploySettlement() internal {
        vm.etch(CREATE2_DEPLOYER, DEPLOYER_CODE);
        vm.deal(FAULT, vm.envOr("FAULT", uint256(0)));
        weth = IWrapped(_create(vm.getCode("bundle/WETH9.json")));
        _put(PERMIT2, vm.getCode("bundle/Permit2.json"));
        gateway = IGatewayDoor(_deploy("Gateway", ""));
        orders = OrderSettlement(_deploy("OrderSettlement", ""));
        _deployPart("CurvePools");
        _deployPart("Erc4626Vaults");
        _deployPart("MakerOrders");
        _deployPart("BalancerV2");
        _deployPart("BalancerV3");
        _deployPart("FluidPools");
        _deployPart("LiquidityBook");
        _deployPart("PaidPools");
        _deployPart("PropAmms");
        _deployPart("RateTokens");
        _deployPart("StabilityModules");
        _deployPart("AquaOrders");
        _deployPart("MaverickPools");
        _deployPart("KuruMarkets");
        executor = IExecutorDoor(_deploy("Executor", abi.encode(address(gateway), address(weth))));
    }

    function _deploy(string memory name, bytes memory args) private returns (address) {
        (bool done, bytes memory place) =
            CREATE2_DEPLOYER.call(bytes.concat(bytes32(0), vm.getCode(string.concat("out/", name, ".json")), args));
        require(done, string.concat("not deployed: ", name));
        return address(bytes20(place));
    }

    /// Where its own code says, which is where the executor of the same build looks.
    function _deployPart(string memory name) private {
        parts.push(_deploy(name, ""));
    }

    /// Runs creation code at the place itself, so that what it makes knows that it stands there.
    function _put(address place, bytes memory creationCode) private {
        vm.etch(place, creationCode);
        (bool done, bytes memory code) = place.call("");
        require(done, "not created");
        vm.etch(place, code);
    }

    function _create(bytes memory code) internal returns (address made) {
        assembly ("memory-safe") {
            made := create(0, add(code, 32), mload(code))
        }
        require(made != address(0), "not created");
    }
}
