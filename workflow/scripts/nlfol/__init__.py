"""nlfol: how well language models translate English into first-order logic.

The packages form one chain, each importing only those before it: ``logic``, ``ontology``, ``store``, ``datasets``,
``candidates``, ``tasks``, ``models``, ``statistics``, ``tables``, ``config``. See ``docs/architecture.md``.
"""

__version__ = "0.1.0"
