"""`python -m disc_dsl`: the `disc-dsl` command."""

from .cli import main

main()
