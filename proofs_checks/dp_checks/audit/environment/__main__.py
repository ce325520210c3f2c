"""`python -m dp_checks.audit.environment`."""

import sys

from dp_checks.audit.environment import main

sys.exit(main())
