// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {MakerOrder} from "../../src/MakerOrder.sol";
import {MakerWallet} from "../../test/MakerWallet.sol";
import {vm, within} from "./Cheats.sol";
import {World} from "./World.sol";

/// Fills, cancellations and changes of signers in any order, some of them sound and most not. What is known of every order
/// is kept beside the contract, and each fill that goes through has to be one that its maker has signed.
contract OrderHandler is World {
    struct Known {
        uint256 filled;
        bool used;
    }

    uint256 private constant KEY_1 = 0x1111;
    uint256 private constant KEY_2 = 0x2222;
    uint256 private constant SIGNER = 0x3333;

    address[3] private makers;
    MakerWallet private wallet;
    mapping(bytes32 orderHash => Known) private known;
    mapping(address maker => mapping(uint256 nonce => bytes32)) private ownerOfNonce;
    mapping(address maker => mapping(uint256 nonce => bool)) private isCancelled;
    mapping(address maker => uint256) private least;
    mapping(address maker => bool) private hasSigner;
    uint256 private freshNonce = 1 << 128;
    uint256 public fillsDone;
    uint256 public fillsTried;

    constructor() {
        _makeWorld();
        wallet = new MakerWallet(vm.addr(KEY_2));
        makers = [vm.addr(KEY_1), vm.addr(KEY_2), address(wallet)];
        for (uint256 i = 0; i < makers.length; ++i) _enrich(makers[i]);
        tokenB.mint(address(this), RICH);
    }

    // -------------------------------------------------------------------------------------------------------- makers

    function cancel(uint256 who, uint256 word, uint256 mask) external {
        (address maker, uint256 bits) = (makers[who % 3], mask & 0xff);
        vm.prank(maker);
        orders.cancelNonces(word % 2, bits);
        for (uint256 i = 0; i < 8; ++i) {
            if (bits >> i & 1 != 0) isCancelled[maker][256 * (word % 2) + i] = true;
        }
    }

    function raiseLeast(uint256 who, uint256 nonce) external {
        (address maker, uint256 wanted) = (makers[who % 3], nonce % 12);
        vm.prank(maker);
        (bool done,) = address(orders).call(abi.encodeCall(orders.raiseLeastNonce, (wanted)));
        require(done == wanted > least[maker], "the least nonce only rises");
        if (done) least[maker] = wanted;
    }

    function setSigner(uint256 who, bool allowed) external {
        vm.prank(makers[who % 3]);
        orders.setSigner(vm.addr(SIGNER), allowed);
        hasSigner[makers[who % 3]] = allowed;
    }

    function feel(uint256 mood) external {
        // Burning all of its gas is for the slow suite: it makes every further fill cost 200,000 gas.
        wallet.feel(MakerWallet.Mood(mood % 6));
        wallet.plan(address(orders), abi.encodeCall(orders.raiseLeastNonce, (type(uint256).max)));
    }

    // --------------------------------------------------------------------------------------------------------- fills

    /// Fills an order of a few that there are, with a signature of some key or of none, and with any payment.
    function fill(uint256 who, uint256 seed, uint256 amount, uint256 wanted, uint256 shortage) external {
        MakerOrder memory order = _order(makers[who % 3], seed);
        uint256 takerAmount = within(amount, 0, 2 * uint256(order.takerAmount));
        uint256 due = uint256(order.makerAmount) * takerAmount / order.takerAmount;
        uint256 makerAmount = wanted % 8 == 0 ? within(wanted, 0, due + 2) : due;
        _fill(order, _signatureOf(order, seed >> 128), takerAmount, makerAmount, shortage % 8 == 0 ? 1 : 0);
    }

    /// Where somebody fills what another may.
    function fillForOthers(uint256 who, uint256 seed) external {
        MakerOrder memory order = _order(makers[who % 3], seed);
        bytes memory signature = _signatureOf(order, 0);
        tokenB.mint(address(orders), order.takerAmount);
        vm.prank(address(0xbad));
        (bool done,) = address(orders).call(
            abi.encodeCall(orders.fill, (order, signature, order.takerAmount, order.makerAmount, address(0xbad)))
        );
        require(!done, "somebody else has filled");
        _empty();
    }

    /// A sound order is filled, whatever was before.
    function fillSoundly(uint256 who, uint256 seed) external {
        MakerOrder memory order = _order(makers[who % 2], seed);
        (order.nonce, order.expiry, order.minTakerAmount) = (freshNonce++, type(uint64).max, 0);
        bytes memory signature = _sign(who % 2 == 0 ? KEY_1 : KEY_2, order);
        bool done = _fill(order, signature, order.takerAmount, order.makerAmount, 0);
        require(done, "a sound order was refused");
    }

    // ---------------------------------------------------------------------------------------------- what is looked at

    function _fill(
        MakerOrder memory order,
        bytes memory signature,
        uint256 takerAmount,
        uint256 makerAmount,
        uint256 shortage
    ) private returns (bool done) {
        ++fillsTried;
        bytes32 orderHash = orders.hashOf(order);
        tokenB.mint(address(orders), takerAmount < shortage ? 0 : takerAmount - shortage);
        (uint256 soldBefore, uint256 paidBefore) = (tokenA.balanceOf(order.maker), tokenB.balanceOf(order.maker));
        (done,) = address(orders).call(
            abi.encodeCall(orders.fill, (order, signature, takerAmount, makerAmount, other))
        );
        uint256 sold = soldBefore - tokenA.balanceOf(order.maker);
        uint256 paid = tokenB.balanceOf(order.maker) - paidBefore;
        _empty();
        if (!done) {
            require(sold == 0 && paid == 0, "a fill that failed has moved something");
            return false;
        }
        ++fillsDone;
        require(paid == takerAmount && paid != 0, "the maker was not paid");
        require(sold * order.takerAmount <= uint256(order.makerAmount) * paid, "the maker sold below its rate");
        require(_isAllowed(order, signature), "the maker has not signed");
        require(takerAmount >= order.minTakerAmount, "the fill is too small");
        require(block.timestamp <= order.expiry, "the order has expired");
        require(order.nonce >= least[order.maker], "the nonce is void");
        require(!isCancelled[order.maker][order.nonce], "the nonce was cancelled");
        _note(order, orderHash, takerAmount);
    }

    /// A nonce belongs to the order that used it first, which is filled once, or up to its amount.
    function _note(MakerOrder memory order, bytes32 orderHash, uint256 takerAmount) private {
        bytes32 owner = ownerOfNonce[order.maker][order.nonce];
        require(owner == 0 || owner == orderHash, "two orders with one nonce");
        ownerOfNonce[order.maker][order.nonce] = orderHash;
        Known storage order_ = known[orderHash];
        require(!order_.used || order.refillable, "filled twice");
        order_.used = true;
        order_.filled += takerAmount;
        require(order_.filled <= order.takerAmount, "filled beyond its amount");
        require(orders.filled(orderHash) == (order.refillable ? order_.filled : 0), "another account of what is filled");
    }

    /// Whether a signature is the maker's, by what is known of keys here.
    function _isAllowed(MakerOrder memory order, bytes memory signature) private view returns (bool) {
        if (order.maker == address(wallet)) {
            MakerWallet.Mood mood = wallet.mood();
            if (mood == MakerWallet.Mood.SayYes || mood == MakerWallet.Mood.SayYesAndMore) return true;
        }
        bytes32 digest = orders.hashOf(order);
        (bytes32 r, bytes32 s) = (_wordOf(signature, 32), _wordOf(signature, 64));
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        return signer == order.maker || signer == vm.addr(SIGNER) && hasSigner[order.maker];
    }

    /// What lies in the order settlement is anybody's.
    function _empty() private {
        uint256 left = tokenB.balanceOf(address(orders));
        if (left == 0) return;
        vm.prank(address(orders));
        tokenB.transfer(address(0xdead), left);
    }

    // ------------------------------------------------------------------------------------------------------- made up

    function _order(address maker, uint256 seed) private view returns (MakerOrder memory order) {
        (order.maker, order.taker, order.trader) = (maker, address(this), taker);
        (order.makerToken, order.takerToken) = (address(tokenA), address(tokenB));
        order.makerAmount = uint128([1, 3, 1_000, 1e18][seed % 4]);
        order.takerAmount = uint128([1, 7, 999, 2e18][(seed >> 8) % 4]);
        order.minTakerAmount = (seed >> 16) % 4 == 0 ? order.takerAmount / 2 : 0;
        order.expiry = uint64((seed >> 24) % 4 == 0 ? block.timestamp - 1 : block.timestamp);
        order.nonce = [0, 1, 2, 3, 4, 256, 257, 263][(seed >> 32) % 8];
        order.refillable = (seed >> 40) % 2 == 0;
    }

    function _signatureOf(MakerOrder memory order, uint256 seed) private view returns (bytes memory) {
        uint256 way = seed % 8;
        if (way == 0) return _sign(SIGNER, order);
        if (way == 1) return _sign(0xbad, order);
        if (way == 2) {
            MakerOrder memory otherOrder = _order(order.maker, seed >> 8);
            return _sign(order.maker == makers[0] ? KEY_1 : KEY_2, otherOrder);
        }
        return _sign(order.maker == makers[0] ? KEY_1 : KEY_2, order);
    }

    function _sign(uint256 key, MakerOrder memory order) private view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, orders.hashOf(order));
        return abi.encodePacked(r, s, v);
    }

    function _wordOf(bytes memory data, uint256 end) private pure returns (bytes32 word) {
        assembly ("memory-safe") {
            word := mload(add(data, end))
        }
    }
}
