"""Make `main` the artifact's entry: inputs and constants come from RAL, outputs go to it.

`main` becomes `disc_main` without arguments and results; the global
`disc_signature` says what it expects (the format is in ral_codegen.h).
"""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
