// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// A token that keeps shares of a pot instead of balances, as stETH does: an amount is turned into shares and back, rounded
/// down both times, so that a transfer may miss a unit on either side. Anybody may fill the pot, now or by the second, and
/// say how many of the shares others back: these are worth as much as the rest, and count for no rate.
contract ShareToken {
    uint8 public constant decimals = 18;
    string public name;
    string public symbol;
    uint256 public totalShares;
    uint256 public growthPerSecond;
    uint256 public getExternalShares;
    uint256 private _pot;
    uint256 private _since;
    mapping(address => uint256) public sharesOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(string memory symbol_, address holder, uint256 supply) {
        (name, symbol) = (symbol_, symbol_);
        (totalShares, _pot, _since) = (supply, supply, block.timestamp);
        sharesOf[holder] = supply;
    }

    /// What belongs to all shares together.
    function totalSupply() public view returns (uint256) {
        return _own() + getExternalEther();
    }

    function getTotalPooledEther() external view returns (uint256) {
        return totalSupply();
    }

    function getTotalShares() external view returns (uint256) {
        return totalShares;
    }

    function getExternalEther() public view returns (uint256) {
        return getExternalShares * _own() / (totalShares - getExternalShares);
    }

    function getSharesByPooledEth(uint256 amount) public view returns (uint256) {
        return amount * (totalShares - getExternalShares) / _own();
    }

    function getPooledEthByShares(uint256 shares) public view returns (uint256) {
        return shares * _own() / (totalShares - getExternalShares);
    }

    /// `more` comes into the pot now, and `perSecond` with every second from now on.
    function fill(uint256 more, uint256 perSecond) external {
        (_pot, _since) = (_own() + more, block.timestamp);
        growthPerSecond = perSecond;
    }

    /// So many of the shares are backed by others from now on.
    function back(uint256 shares) external {
        getExternalShares = shares;
    }

    function balanceOf(address owner) external view returns (uint256) {
        return getPooledEthByShares(sharesOf[owner]);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        uint256 shares = getSharesByPooledEth(amount);
        sharesOf[from] -= shares;
        sharesOf[to] += shares;
        emit Transfer(from, to, amount);
    }

    /// The pot without what others back.
    function _own() private view returns (uint256) {
        return _pot + growthPerSecond * (block.timestamp - _since);
    }
}
