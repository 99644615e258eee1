"""Faults on order, for code that has to live with them."""

from __future__ import annotations

from typing import Any

from atlas_rag.inprocess.deployment import Deployment


class Faults:
    """Orders faults from one in-process deployment; each order replaces the one before.

    ```
    faults.fail("aggregate", code=31082)          # the next aggregation finds no search
    faults.drop("find", times=2)                  # two finds lose their connection
    faults.delay("aggregate", seconds=0.2, times=None)
    faults.clear()
    ```
    """

    def __init__(self, deployment: Deployment) -> None:
        self._deployment = deployment

    def fail(self, *commands: str, code: int, labels: tuple[str, ...] = (), times: int | None = 1) -> None:
        """The next commands of these names answer with an error.

        Args:
            commands: names such as "aggregate" or "insert".
            code: the server's error code.
            labels: error labels such as "RetryableError".
            times: how many, ≥ 1; None for all until `clear`.
        """
        self._order(times, failCommands=list(commands), errorCode=code, errorLabels=list(labels))

    def drop(self, *commands: str, times: int | None = 1) -> None:
        """The next commands of these names lose their connection."""
        self._order(times, failCommands=list(commands), closeConnection=True)

    def delay(self, *commands: str, seconds: float, times: int | None = 1) -> None:
        """The next commands of these names take `seconds` (≥ 0) longer."""
        milliseconds = round(seconds * 1000)
        self._order(times, failCommands=list(commands), blockConnection=True, blockTimeMS=milliseconds)

    def fail_index(self, collection: Any, name: str, message: str = "the build failed on order") -> None:
        """The newest build of a search index has FAILED, with this message in its `statusDetail`.

        Raises:
            KeyError: there is no such index.
        """
        self._deployment.fail_index_build(collection.database.name, collection.name, name, message)

    def clear(self) -> None:
        """No more faults."""
        self._run({"configureFailPoint": "failCommand", "mode": "off"})

    def _order(self, times: int | None, **data: Any) -> None:
        mode = "alwaysOn" if times is None else {"times": times}
        self._run({"configureFailPoint": "failCommand", "mode": mode, "data": data})

    def _run(self, command: dict[str, Any]) -> None:
        reply = self._deployment.run_command("admin", command)
        if not reply["ok"]:
            raise ValueError(reply["errmsg"])
