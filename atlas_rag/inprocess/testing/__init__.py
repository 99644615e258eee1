"""For people who test their own application: the in-process engine as pytest fixtures, and faults on order.

```
def test_search(atlas_collection, atlas_faults):
    load_indexes(atlas_collection, "indexes/text.json")
    ...
```

The fixtures come with the package (`atlas_rag.testing.plugin`); `pytest --fixtures` lists them.
"""

from atlas_rag.inprocess.testing.definitions import load_indexes, read_models
from atlas_rag.inprocess.testing.ordering import Faults

__all__ = ["Faults", "load_indexes", "read_models"]
