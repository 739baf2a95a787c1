"""python -m spellheist"""

from spellheist.cli import main

main()
