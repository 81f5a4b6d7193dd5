"""The functions that these tasks name; they are nlfol's."""

try:
    from nlfol.harnesses.lm_tasks import dataset, process_results
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the tasks nlfol_* of lm-eval need the package {error.name}: pip install 'nlfol[tools]'", name=error.name
    ) from error

__all__ = ["dataset", "process_results"]
