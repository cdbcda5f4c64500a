// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// A set of numbers of 24 bits: three levels of words with a bit for each word below.
library DevnetBinTree {
    struct Tree {
        uint256 root;
        mapping(uint256 => uint256) middle;
        mapping(uint256 => uint256) leaves;
    }

    function add(Tree storage tree, uint256 id) internal {
        tree.leaves[id >> 8] |= 1 << (id & 255);
        tree.middle[id >> 16] |= 1 << (id >> 8 & 255);
        tree.root |= 1 << (id >> 16);
    }

    function remove(Tree storage tree, uint256 id) internal {
        if ((tree.leaves[id >> 8] &= ~(1 << (id & 255))) != 0) return;
        if ((tree.middle[id >> 16] &= ~(1 << (id >> 8 & 255))) != 0) return;
        tree.root &= ~(1 << (id >> 16));
    }

    /// The next lower number in the set, or 2^24 - 1; the next higher one, or 0.
    function next(Tree storage tree, uint256 id, bool lower) internal view returns (uint256) {
        uint256 none = lower ? type(uint24).max : 0;
        uint256 found = _within(tree.leaves[id >> 8], id & 255, lower);
        if (found < 256) return id >> 8 << 8 | found;
        found = _within(tree.middle[id >> 16], id >> 8 & 255, lower);
        if (found < 256) {
            uint256 leaf = id >> 16 << 8 | found;
            return leaf << 8 | _end(tree.leaves[leaf], lower);
        }
        found = _within(tree.root, id >> 16, lower);
        if (found == 256) return none;
        uint256 word = found << 8 | _end(tree.middle[found], lower);
        return word << 8 | _end(tree.leaves[word], lower);
    }

    /// The bit of a word next to one of its bits; 256: none.
    function _within(uint256 word, uint256 bit, bool lower) private pure returns (uint256) {
        uint256 rest = lower ? word & ((1 << bit) - 1) : bit == 255 ? 0 : word >> (bit + 1) << (bit + 1);
        return rest == 0 ? 256 : _end(rest, lower);
    }

    /// The highest bit of a word, or the lowest one.
    function _end(uint256 word, bool highest) private pure returns (uint256 bit) {
        if (!highest) word &= ~word + 1;
        for (uint256 half = 128; half != 0; half >>= 1) {
            if (word >> half != 0) (word, bit) = (word >> half, bit + half);
        }
    }
}
