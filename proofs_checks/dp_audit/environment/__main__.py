"""`python -m dp_audit.environment`."""

import sys

from dp_audit.environment import main

sys.exit(main())
