// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// A token that keeps shares of a pot instead of balances, as stETH does: an amount is turned into shares and back, rounded
/// down both times, so that a transfer may miss a unit on either side. Anybody may fill the pot, now or by the second.
contract ShareToken {
    uint8 public constant decimals = 18;
    string public name;
    string public symbol;
    uint256 public totalShares;
    uint256 public growthPerSecond;
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
        return _pot + growthPerSecond * (block.timestamp - _since);
    }

    /// `more` comes into the pot now, and `perSecond` with every second from now on.
    function fill(uint256 more, uint256 perSecond) external {
        (_pot, _since) = (totalSupply() + more, block.timestamp);
        growthPerSecond = perSecond;
    }

    function balanceOf(address owner) external view returns (uint256) {
        return sharesOf[owner] * totalSupply() / totalShares;
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
        uint256 shares = amount * totalShares / totalSupply();
        sharesOf[from] -= shares;
        sharesOf[to] += shares;
        emit Transfer(from, to, amount);
    }
}
