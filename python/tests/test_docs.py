"""Every example in a docstring is run."""

import doctest
import inspect

import pytest

import phebandits
from phebandits import _core, catalogue, classes


def documented():
    """The public things, and the members of the public classes, that have an example."""
    things = {name: getattr(phebandits, name) for name in phebandits.__all__}
    things |= {"phebandits": phebandits, "spec_text": catalogue.spec_text, "class_name": classes.class_name}
    for cls in [thing for thing in things.values() if inspect.isclass(thing)]:
        things |= {f"{cls.__name__}.{name}": member for name, member in vars(cls).items()}
    return {name: thing for name, thing in things.items() if ">>>" in (inspect.getdoc(thing) or "")}


@pytest.mark.parametrize("name", documented())
def test_examples_hold(name):
    thing = documented()[name]
    scope = {"class_name": classes.class_name, "spec_text": catalogue.spec_text}
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(thing), scope, name, None, 0)
    result = doctest.DocTestRunner().run(example)
    assert result.attempted > 0 and result.failed == 0


def test_every_method_is_documented():
    missing = [name for name, member in vars(_core.Policy).items()
               if not name.startswith("_") and callable(member) and not member.__doc__]  # fmt: skip
    assert not missing
