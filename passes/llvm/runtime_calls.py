"""Lower runtime ops of the host function to calls through RAL's table.

`disc_main` becomes `int32_t disc_main(const ral_codegen_api *, ral_exec *)`;
a status that is not zero, or an allocation that failed, returns at once.
Kernels take data pointers and dynamic sizes for memrefs; an entry function
`(args, lo, hi, worker)` unpacks a launch's arguments and calls the kernel.
"""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
