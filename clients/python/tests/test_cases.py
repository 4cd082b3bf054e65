"""Everything that all clients share, with the client that waits and with that of asyncio."""

import json
import unittest
from typing import Any
from unittest import mock

import saring

from scripted_server import ScriptedServer
from shared_cases import Clients, shared

UUID = r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
CLASSES = {
    400: saring.BadRequestError,
    401: saring.AuthenticationError,
    403: saring.PermissionDeniedError,
    404: saring.NotFoundError,
    409: saring.ConflictError,
    422: saring.InvalidRequestError,
    429: saring.RateLimitedError,
    500: saring.ServerError,
    503: saring.UnavailableError,
}
#: Clocks may differ a little.
EARLY_SECONDS = 0.005


class SharedCases(unittest.TestCase):
    maxDiff = None
    server: ScriptedServer
    clients: Clients

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = cls.enterClassContext(ScriptedServer())
        cls.clients = Clients()
        cls.addClassCleanup(cls.clients.close)

    def run_cases(self, file: str) -> None:
        for case in shared(file):
            for is_async in (False, True):
                with self.subTest(case["name"], is_async=is_async):
                    self.server.script(*(exchange["answer"] for exchange in case["exchanges"]))
                    self.check_outcome(case, is_async)
                    self.check_exchanges(case["exchanges"])

    def check_outcome(self, case: dict[str, Any], is_async: bool) -> None:
        if "error" not in case:
            result = self.clients.made(self.server.base_url, case, is_async=is_async)
            self.assertEqual(result, case["result"])
            return
        with self.assertRaises(saring.SaringError) as raised:
            self.clients.made(self.server.base_url, case, is_async=is_async)
        error, expected = raised.exception, case["error"]
        told = {name: getattr(error, name) for name in expected}
        if isinstance(told.get("docs_url"), str):
            told["docs_url"] = told["docs_url"].replace(self.server.base_url, "<server>")
        self.assertEqual(told, expected)
        if error.status is not None and error.code != "unexpected_answer":
            self.assertIsInstance(error, CLASSES[error.status])

    def check_exchanges(self, exchanges: list[dict[str, Any]]) -> None:
        received = self.server.received
        self.assertEqual(
            [one.request for one in received], [exchange["request"] for exchange in exchanges]
        )
        keys = set()
        for i, exchange in enumerate(exchanges):
            for name, value in exchange.get("headers", {}).items():
                if value == "<uuid>":
                    self.assertRegex(received[i].headers[name], UUID)
                    keys.add(received[i].headers[name])
                else:
                    self.assertEqual(received[i].headers.get(name), value, name)
            if "body" in exchange:
                body = received[i].body
                self.assertEqual(json.loads(body) if body else None, exchange["body"])
            if "after_ms" in exchange:
                waited = received[i].at_seconds - received[i - 1].at_seconds
                self.assertGreaterEqual(waited, exchange["after_ms"] / 1000 - EARLY_SECONDS)
        self.assertLessEqual(len(keys), 1)

    def test_requests(self) -> None:
        self.run_cases("requests.json")

    def test_retries(self) -> None:
        self.run_cases("retries.json")

    def test_lists(self) -> None:
        self.run_cases("lists.json")

    def test_following(self) -> None:
        self.run_cases("following.json")

    def test_endpoints(self) -> None:
        endpoints = shared("endpoints.json")
        events = {
            "status": 200,
            "headers": {"content-type": "text/event-stream"},
            "text": 'data: {"status":"failed","result_available":false}\n\n',
        }
        # What only pages in a browser do has no method.
        for case in (call for call in endpoints["calls"] if call.get("only") != "browsers"):
            for is_async in (False, True):
                with self.subTest(case["call"], is_async=is_async):
                    is_stream = case["request"].endswith("/jobs/j/events")
                    answer = {"status": 200, "body": endpoints["answer"]}
                    self.server.script(events if is_stream else answer)
                    self.clients.made(self.server.base_url, case, is_async=is_async)
                    requests = [one.request for one in self.server.received]
                    self.assertEqual(requests, [case["request"]])


class Webhooks(unittest.TestCase):
    def test_webhooks(self) -> None:
        webhooks = shared("webhooks.json")
        body = webhooks["body"]
        for case in webhooks["cases"]:
            with (
                self.subTest(case["name"]),
                mock.patch("time.time", return_value=webhooks["now_seconds"]),
            ):
                if "error" not in case:
                    for sent in (body, body.encode()):
                        event = saring.verify_webhook(sent, case["headers"], case["secret"])
                        self.assertEqual(event, case["result"])
                    continue
                with self.assertRaises((saring.WebhookVerificationError, ValueError)) as raised:
                    saring.verify_webhook(body, case["headers"], case["secret"])
                self.assertIn(case["error"], str(raised.exception))

    def test_header_names_may_be_in_any_case(self) -> None:
        webhooks = shared("webhooks.json")
        case = webhooks["cases"][0]
        headers = {name.title(): value for name, value in case["headers"].items()}
        with mock.patch("time.time", return_value=webhooks["now_seconds"]):
            event = saring.verify_webhook(webhooks["body"], headers, case["secret"])
        self.assertEqual(event, case["result"])
