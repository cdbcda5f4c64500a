// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {OrderSettlement} from "../../src/OrderSettlement.sol";
import {
    BALANCER_V2,
    BALANCER_V3,
    CURVE_POOLS,
    ERC4626_VAULTS,
    MAKER_ORDERS,
    PROP_AMMS,
    RATE_TOKENS,
    STABILITY_MODULES
} from "../../src/PartAddresses.sol";
import {vm} from "./Cheats.sol";
import {IExecutorDoor, IGatewayDoor, IWrapped} from "./Doors.sol";

/// The settlement contracts where they stand on every chain, with the code that is shipped (contracts/out). While
/// coverage is measured (COVERAGE=true) they are what forge compiles of the sources instead, put where the executor
/// looks for them.
abstract contract Settlement {
    address internal constant CREATE2_DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    bytes private constant DEPLOYER_CODE =
        hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    IGatewayDoor internal gateway;
    IExecutorDoor internal executor;
    OrderSettlement internal orders;
    IWrapped internal weth;
    address[] internal parts;

    function _deploySettlement() internal {
        vm.etch(CREATE2_DEPLOYER, DEPLOYER_CODE);
        weth = IWrapped(_create(vm.getCode("bundle/WETH9.json")));
        _put(PERMIT2, vm.getCode("bundle/Permit2.json"));
        gateway = IGatewayDoor(_deploy("Gateway", ""));
        orders = OrderSettlement(_deploy("OrderSettlement", ""));
        _deployPart("CurvePools", CURVE_POOLS);
        _deployPart("Erc4626Vaults", ERC4626_VAULTS);
        _deployPart("MakerOrders", MAKER_ORDERS);
        _deployPart("BalancerV2", BALANCER_V2);
        _deployPart("BalancerV3", BALANCER_V3);
        _deployPart("PropAmms", PROP_AMMS);
        _deployPart("RateTokens", RATE_TOKENS);
        _deployPart("StabilityModules", STABILITY_MODULES);
        executor = IExecutorDoor(_deploy("Executor", abi.encode(address(gateway), address(weth))));
    }

    /// Of our own contracts: as shipped, or as forge compiles it.
    function _codeOf(string memory name) internal view returns (bytes memory) {
        if (_isCoverage()) return vm.getCode(string.concat(name, ".sol:", name));
        return vm.getCode(string.concat("out/", name, ".json"));
    }

    function _isCoverage() internal view returns (bool) {
        return vm.envOr("COVERAGE", false);
    }

    function _deploy(string memory name, bytes memory args) private returns (address) {
        (bool done, bytes memory place) =
            CREATE2_DEPLOYER.call(bytes.concat(bytes32(0), _codeOf(name), args));
        require(done, string.concat("not deployed: ", name));
        return address(bytes20(place));
    }

    function _deployPart(string memory name, address place) private {
        if (_isCoverage()) _put(place, _codeOf(name));
        // Where its own code says, which is where the executor of the same build looks.
        else place = _deploy(name, "");
        parts.push(place);
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
