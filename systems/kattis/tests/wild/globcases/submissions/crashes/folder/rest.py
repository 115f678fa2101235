import offset


def answer(n):
    return n + offset.offset() if n != 999 else 1 // 0
