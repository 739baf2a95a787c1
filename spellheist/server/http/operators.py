"""For operators: does this process live, can it write, and its figures."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from spellheist.server.http import visitors
from spellheist.server.http.answers import answer
from spellheist.server.service import Service
from spellheist.server.table.rights import NoTable


class OperatorRoutes:
    """What operators ask."""

    def __init__(self, service: Service, version: str) -> None:
        self.service, self.version = service, version

    async def health(self, request: Request) -> Response:
        """Does this process live?"""
        return answer({"healthy": True, "version": self.version})

    async def ready(self, request: Request) -> Response:
        """Can this process write, and does its background work run?"""
        writes, supervisor = await self.service.can_write(), self.service.supervisor
        missed = supervisor.missed()
        ran = {name: None if ago is None else round(ago, 1) for name, ago in supervisor.ago().items()}
        said = {"ready": writes and not missed, "writes": writes, "missed": missed, "seconds_ago": ran}
        return answer(said, 200 if said["ready"] else 503)

    async def metrics(self, request: Request) -> Response:
        if not visitors.for_operators(request, self.service.settings.metrics_token):
            raise NoTable("There is nothing here.")
        return Response(self.service.counts.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
