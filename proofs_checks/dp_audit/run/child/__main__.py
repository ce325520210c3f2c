"""`python FOLDER MODE [ARGUMENT ...]`: the child process, wherever this folder was copied to."""

import sys

del sys.path[0]  # this folder: the audited library and the standard library come first, under all their names

import importlib.util  # noqa: E402
import os.path  # noqa: E402

_NAME = "dp_child"
_FOLDER = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
_SPECIFICATION = importlib.util.spec_from_file_location(
    _NAME,
    os.path.join(_FOLDER, "__init__.py"),  # noqa: PTH118
    submodule_search_locations=[_FOLDER],
)
assert _SPECIFICATION is not None
assert _SPECIFICATION.loader is not None
sys.modules[_NAME] = importlib.util.module_from_spec(_SPECIFICATION)
_SPECIFICATION.loader.exec_module(sys.modules[_NAME])
_ARGUMENTS = sys.argv[1:]
del sys.argv[1:]  # they are not the library's
importlib.import_module(_NAME + ".jobs").main(_ARGUMENTS)
