"""Tests run the rules plain unless SPELLHEIST_KERNEL says otherwise: quick to start, easy to debug.

The compiled modes are tested by `spellheist check`, which plays the same games in every mode, and by
`make test`, which runs the rule tests a second time with bounds checks.
"""

import os

os.environ.setdefault("SPELLHEIST_KERNEL", "plain")
