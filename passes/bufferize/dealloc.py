"""Free every buffer after its last use.

A block owns the buffers that it allocates and those that a loop or branch hands
to it. Each is freed after its last use in the block or handed on: by a yield, as
the initial value of a loop, or as a result of the function. What a block does not
own is copied where ownership is needed. Run it right after `bufferize-one-shot`.
"""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
