// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// A list of pools with the interface of Curve's factories and registries; as a registry it takes pools out and moves the
/// last one into the gap. It is an address provider, too.
contract PoolList {
    address[] public pool_list;
    mapping(address pool => uint8[]) private _assetTypes;
    mapping(address pool => address) public get_base_pool;
    mapping(uint256 id => address) public get_address;
    bool private _silent;

    function pool_count() external view returns (uint256) {
        require(!_silent, "silent");
        return pool_list.length;
    }

    /// StableSwap-NG's factory alone knows types.
    function get_pool_asset_types(address pool) external view returns (uint8[] memory) {
        require(_assetTypes[pool].length != 0, "unknown");
        return _assetTypes[pool];
    }

    function add(address pool, uint8[] calldata assetTypes, address basePool) external {
        pool_list.push(pool);
        _assetTypes[pool] = assetTypes;
        get_base_pool[pool] = basePool;
    }

    function remove(uint256 index) external {
        pool_list[index] = pool_list[pool_list.length - 1];
        pool_list.pop();
    }

    function set(uint256 id, address list) external {
        get_address[id] = list;
    }

    function silence(bool silent) external {
        _silent = silent;
    }
}
