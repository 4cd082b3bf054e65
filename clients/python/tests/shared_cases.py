"""The cases that all clients share, and how either client of this package makes their calls."""

import asyncio
import json
from collections.abc import Iterable
from contextlib import aclosing
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any

import httpx

import saring

CASES = Path(__file__).parents[2] / "cases"
#: `from` is a reserved word.
RENAMED = {"from": "from_"}


def shared(file: str) -> Any:
    return json.loads((CASES / file).read_text(encoding="utf-8"))


class Clients:
    """Both kinds of clients. Each keeps one set of connections, since making one takes a while."""

    def __init__(self) -> None:
        self._http = httpx.Client()
        self._async_http = httpx.AsyncClient()
        self._runner = asyncio.Runner()

    def made(self, base_url: str, case: dict[str, Any], *, is_async: bool) -> Any:
        """Makes the call of a case and reads the answer to its end, or as far as the case says."""
        settings: dict[str, Any] = {"base_url": "<server>", "api_key": "sar_test"}
        settings |= case.get("client", {})
        settings["base_url"] = settings["base_url"].replace("<server>", base_url)
        if is_async:
            settings["http_client"] = self._async_http
            client = saring.AsyncSaring(**settings)
            return self._runner.run(_awaited(client, case))
        settings["http_client"] = self._http
        return _waited(saring.Saring(**settings), case)

    def close(self) -> None:
        self._http.close()
        self._runner.run(self._async_http.aclose())
        self._runner.close()


def _waited(client: saring.Saring, case: dict[str, Any]) -> Any:
    reply = _called(client, case)
    if case.get("read") == "first":
        return reply.first()
    reply = reply.pages() if case.get("read") == "pages" else reply
    is_list = isinstance(reply, Iterable) and not isinstance(reply, list | dict | bytes)
    return _plain(list(islice(reply, case.get("take"))) if is_list else reply)


async def _awaited(client: saring.AsyncSaring, case: dict[str, Any]) -> Any:
    reply = _called(client, case)
    if case.get("read") == "first":
        return await reply.first()
    reply = reply.pages() if case.get("read") == "pages" else reply
    if not hasattr(reply, "__aiter__"):
        return _plain(await reply)
    items: list[Any] = []
    async with aclosing(aiter(reply)) as iterator:
        async for item in iterator:
            items.append(item)
            if len(items) == case.get("take"):
                break
    return items


def _called(client: Any, case: dict[str, Any]) -> Any:
    options = dict(case.get("options", {}))
    if "end_user" in options:
        client = client.with_options(end_user=options.pop("end_user"))
    method = reduce(getattr, case["call"].split("."), client)
    keywords = {RENAMED.get(name, name): value for name, value in case.get("keywords", {}).items()}
    return method(*case.get("arguments", []), **keywords, **options)


def _plain(result: Any) -> Any:
    return result.decode() if isinstance(result, bytes) else result
