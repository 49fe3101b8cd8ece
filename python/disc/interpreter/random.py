"""Threefry-2x32 and Philox-4x32 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3)."""

from __future__ import annotations

import numpy as np

_MASK = (1 << 32) - 1


def _rotate(x: int, by: int) -> int:
    return (x << by | x >> (32 - by)) & _MASK


def threefry_block(key: tuple[int, int], counter: tuple[int, int]) -> tuple[int, int]:
    """20 rounds."""
    keys = (*key, 0x1BD11BDA ^ key[0] ^ key[1])
    x, y = (counter[0] + keys[0]) & _MASK, (counter[1] + keys[1]) & _MASK
    for group in range(5):
        for by in ((13, 15, 26, 6), (17, 29, 16, 24))[group % 2]:
            x = (x + y) & _MASK
            y = _rotate(y, by) ^ x
        x = (x + keys[(group + 1) % 3]) & _MASK
        y = (y + keys[(group + 2) % 3] + group + 1) & _MASK
    return x, y


def philox_block(key: tuple[int, int], counter: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """10 rounds."""
    k0, k1 = key
    a, b, c, d = counter
    for _ in range(10):
        p, q = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = (q >> 32) ^ b ^ k0, q & _MASK, (p >> 32) ^ d ^ k1, p & _MASK
        k0, k1 = (k0 + 0x9E3779B9) & _MASK, (k1 + 0xBB67AE85) & _MASK
    return a, b, c, d


def threefry(state: np.ndarray, words: int) -> tuple[np.ndarray, np.ndarray]:
    """(next state, `words` 32-bit words): state is a 64-bit key and a 64-bit counter."""
    key, counter = (int(v) & (1 << 64) - 1 for v in state.ravel())
    blocks = (words + 1) // 2
    pair = (key & _MASK, key >> 32)
    out = [threefry_block(pair, ((counter + n) & _MASK, (counter + n) >> 32 & _MASK)) for n in range(blocks)]
    flat = np.array([v for block in out for v in block], np.uint32)[:words]
    return np.array([key, (counter + blocks) & (1 << 64) - 1], np.uint64).astype(state.dtype), flat


def philox(state: np.ndarray, words: int) -> tuple[np.ndarray, np.ndarray]:
    """(next state, `words` 32-bit words): state is a 64-bit key and a counter of 128 bits; its high half may be missing
    and is then the key."""
    values = [int(v) & (1 << 64) - 1 for v in state.ravel()]
    key, low, high = values[0], values[1], values[2] if len(values) > 2 else values[0]
    counter, blocks, out = low | high << 64, (words + 3) // 4, []
    for n in range(blocks):
        at = counter + n
        out += philox_block((key & _MASK, key >> 32), tuple(at >> s & _MASK for s in (0, 32, 64, 96)))
    after = counter + blocks
    next_state = [key, after & (1 << 64) - 1, after >> 64 & (1 << 64) - 1][: len(values)]
    return np.array(next_state, np.uint64).astype(state.dtype), np.array(out[:words], np.uint32)
