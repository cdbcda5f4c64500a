// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {DevnetAqua} from "./DevnetAqua.sol";
import {DevnetAquaMath, Trade} from "./DevnetAquaMath.sol";

/// A router with the interface of 1inch's AquaSwapVMRouter: it trades strategies of the ledger by their programs. It knows the
/// instructions of the published kinds of strategies, and pays in by the taker's approval alone.
contract DevnetAquaRouter {
    using SafeERC20 for IERC20;

    struct Order {
        address maker;
        uint256 traits;
        bytes data;
    }

    event Swapped(
        bytes32 orderHash,
        address maker,
        address taker,
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        uint256 amountOut
    );
    event ProtocolFeeSkipped(bytes32 orderHash, address token, address to, uint256 amount);

    error DeadlineReached(address taker, uint256 deadline);
    error UnknownInstruction(uint256 number);
    error NothingTraded(uint256 amountIn, uint256 amountOut);
    error AmountMismatch(uint256 wanted, uint256 computed);
    error Fees(uint256 rate, address to);

    uint256 private constant FEE_ONE = 1e9;
    uint256 private constant FLAG_EXACT_IN = 1;
    /// Where in the taker's bytes the slices' ends and flags end.
    uint256 private constant TAKER_HEAD = 22;

    DevnetAqua public immutable AQUA;

    constructor(DevnetAqua aqua) {
        AQUA = aqua;
    }

    function hash(Order calldata order) public pure returns (bytes32) {
        return keccak256(abi.encode(order));
    }

    function quote(Order calldata order, address tokenIn, address tokenOut, uint256 amount, bytes calldata taker)
        external
        returns (uint256 amountIn, uint256 amountOut, bytes32 orderHash)
    {
        orderHash = hash(order);
        Trade memory trade = _run(order, orderHash, tokenIn, tokenOut, amount, taker, true);
        return (trade.amountIn, trade.amountOut, orderHash);
    }

    function swap(Order calldata order, address tokenIn, address tokenOut, uint256 amount, bytes calldata taker)
        external
        returns (uint256 amountIn, uint256 amountOut, bytes32 orderHash)
    {
        orderHash = hash(order);
        Trade memory trade = _run(order, orderHash, tokenIn, tokenOut, amount, taker, false);
        (amountIn, amountOut) = (trade.amountIn, trade.amountOut);
        AQUA.pull(order.maker, orderHash, tokenOut, amountOut, _receiver(taker));
        IERC20(tokenIn).safeTransferFrom(msg.sender, address(this), amountIn);
        IERC20(tokenIn).forceApprove(address(AQUA), amountIn);
        AQUA.push(order.maker, address(this), orderHash, tokenIn, amountIn);
        emit Swapped(orderHash, order.maker, msg.sender, tokenIn, tokenOut, amountIn, amountOut);
    }

    function _run(
        Order calldata order,
        bytes32 orderHash,
        address tokenIn,
        address tokenOut,
        uint256 amount,
        bytes calldata taker,
        bool isQuote
    ) private returns (Trade memory trade) {
        trade.exactIn = uint8(taker[TAKER_HEAD - 1]) & FLAG_EXACT_IN != 0;
        (trade.maker, trade.orderHash, trade.isQuote) = (order.maker, orderHash, isQuote);
        (trade.tokenIn, trade.tokenOut) = (tokenIn, tokenOut);
        if (trade.exactIn) trade.amountIn = amount;
        else trade.amountOut = amount;
        (trade.balanceIn, trade.balanceOut) =
            AQUA.safeBalances(order.maker, address(this), orderHash, tokenIn, tokenOut);
        _step(trade, order.data, 0);
        if (trade.amountIn == 0 || trade.amountOut == 0) revert NothingTraded(trade.amountIn, trade.amountOut);
        uint256 computed = trade.exactIn ? trade.amountIn : trade.amountOut;
        if (computed != amount) revert AmountMismatch(amount, computed);
    }

    /// Runs the instructions from a place on. A fee has the rest of them run within it.
    function _step(Trade memory trade, bytes calldata program, uint256 at) private {
        while (at < program.length) {
            uint256 number = uint8(program[at]);
            uint256 end = at + 2 + uint8(program[at + 1]);
            bytes calldata args = program[at + 2:end];
            at = end;
            if (number == 0x0d) {
                uint256 deadline = uint40(bytes5(args[:5]));
                if (block.timestamp > deadline) revert DeadlineReached(msg.sender, deadline);
            } else if (number == 0x11) {
                DevnetAquaMath.product(trade);
            } else if (number == 0x12) {
                DevnetAquaMath.range(trade, uint256(bytes32(args[:32])), uint256(bytes32(args[32:64])));
            } else if (number == 0x1f) {
                DevnetAquaMath.pegged(trade, abi.decode(args, (uint256[5])));
            } else if (number == 0x15) {
                return _flatFee(trade, program, at, uint32(bytes4(args[:4])));
            } else if (number == 0x1c) {
                return _protocolFee(trade, program, at, uint32(bytes4(args[:4])), address(bytes20(args[4:24])));
            } else if (number != 0x14) {
                revert UnknownInstruction(number);
            }
        }
    }

    function _flatFee(Trade memory trade, bytes calldata program, uint256 at, uint256 rate) private {
        if (trade.exactIn) {
            uint256 whole = trade.amountIn;
            trade.amountIn = whole - Math.ceilDiv(whole * rate, FEE_ONE);
            _step(trade, program, at);
            trade.amountIn = whole;
        } else {
            _step(trade, program, at);
            trade.amountIn += Math.ceilDiv(trade.amountIn * rate, FEE_ONE - rate);
        }
    }

    /// What the maker cannot pay by now stays his.
    function _protocolFee(Trade memory trade, bytes calldata program, uint256 at, uint256 rate, address to) private {
        if (rate != 0 && to == address(0)) revert Fees(rate, to);
        uint256 fee;
        if (trade.exactIn) {
            uint256 whole = trade.amountIn;
            fee = whole * rate / FEE_ONE;
            trade.amountIn = whole - fee;
            _step(trade, program, at);
            trade.amountIn = whole;
        } else {
            _step(trade, program, at);
            fee = trade.amountIn * rate / (FEE_ONE - rate);
            trade.amountIn += fee;
        }
        if (trade.isQuote || fee == 0) return;
        try AQUA.pull(trade.maker, trade.orderHash, trade.tokenIn, fee, to) {}
        catch {
            emit ProtocolFeeSkipped(trade.orderHash, trade.tokenIn, to, fee);
        }
    }

    /// The taker's bytes: ends of ten slices, flags, then the slices; the second, of 20 bytes, says who is paid.
    function _receiver(bytes calldata taker) private view returns (address) {
        uint256 begin = uint16(bytes2(taker[18:20]));
        uint256 end = uint16(bytes2(taker[16:18]));
        return end - begin == 20 ? address(bytes20(taker[TAKER_HEAD + begin:TAKER_HEAD + end])) : msg.sender;
    }
}
