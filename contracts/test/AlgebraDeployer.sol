// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface ICustomFactory {
    function createCustomPool(address deployer, address creator, address a, address b, bytes calldata data)
        external
        returns (address);
}

interface ICustomPool {
    function initialize(uint160 price) external;
    function setPlugin(address plugin) external;
    function setPluginConfig(uint8 config) external;
}

interface IPlugin {
    function initialize() external;
    function defaultPluginConfig() external view returns (uint8);
}

interface IPlugins {
    function beforeCreatePoolHook(address pool, address, address, address, address, bytes calldata)
        external
        returns (address);
}

/// Deploys custom pools of Algebra Integral with plugins of one factory, as Blackhole's deployers do. To that factory it is
/// Algebra's own, and it lets anybody change terms.
contract AlgebraDeployer {
    ICustomFactory private immutable factory;
    IPlugins public algebraPluginFactory;

    constructor(ICustomFactory factory_) {
        factory = factory_;
    }

    function setAlgebraPluginFactory(IPlugins plugins) external {
        algebraPluginFactory = plugins;
    }

    function createPool(address token0, address token1, uint160 price) external {
        ICustomPool pool = ICustomPool(factory.createCustomPool(address(this), msg.sender, token0, token1, ""));
        pool.initialize(price);
        address plugin = algebraPluginFactory.beforeCreatePoolHook(
            address(pool), msg.sender, address(this), token0, token1, ""
        );
        pool.setPlugin(plugin);
        IPlugin(plugin).initialize();
        pool.setPluginConfig(IPlugin(plugin).defaultPluginConfig());
    }

    function beforeCreatePoolHook(address, address, address, address, address, bytes calldata)
        external
        pure
        returns (address)
    {
        return address(0);
    }

    function afterCreatePoolHook(address, address, address) external pure {}

    function hasRoleOrOwner(bytes32, address) external pure returns (bool) {
        return true;
    }
}
