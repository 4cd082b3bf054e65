"""Everything that all clients share, with the client that waits and with that of asyncio."""

import json
import unittest
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl

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

    def test_refusals(self) -> None:
        case = {"call": "runs.submit", "arguments": ["model_f_combined"]}
        for status, code in shared("refusals.json"):
            for is_async in (False, True):
                with self.subTest(code, is_async=is_async):
                    self.server.script({"status": status, "refusal": code})
                    told = {"code": code, "status": status, "message": f"It is {code}."}
                    told |= {"request_id": "req_1", "docs_url": f"<server>/api/docs/errors/{code}"}
                    self.check_outcome({**case, "error": told}, is_async)
                    self.assertEqual(len(self.server.received), 1)

    def test_endpoints(self) -> None:
        # What only pages in a browser do has no method.
        for case in (one for one in shared("endpoints.json") if one.get("only") != "browsers"):
            for is_async in (False, True):
                with self.subTest(case["call"], is_async=is_async):
                    content = "text" if isinstance(case["answer"], str) else "body"
                    self.server.script({"status": 200, content: case["answer"]})
                    result = self.clients.made(self.server.base_url, case, is_async=is_async)
                    self.assertEqual(result, case["result"])
                    [received] = self.server.received
                    request, _, query = received.request.partition("?")
                    self.assertEqual(request, case["request"])
                    self.assertEqual(dict(parse_qsl(query)), case["query"])
                    self.assertEqual(json.loads(received.body or "null"), case["body"])
                    self.assertEqual("idempotency-key" in received.headers, case["is_keyed"])

    def test_endpoints_that_are_unavailable(self) -> None:
        code = "data_unavailable"
        unavailable = {"status": 503, "headers": {"retry-after": "0"}, "refusal": code}
        told = {"error": {"code": code}}
        for case in (one for one in shared("endpoints.json") if one.get("only") != "browsers"):
            # No extra wait.
            with self.subTest(case["call"]), mock.patch("random.random", return_value=0):
                content = "text" if isinstance(case["answer"], str) else "body"
                self.server.script(unavailable, {"status": 200, content: case["answer"]})
                self.check_outcome(case if case["is_repeatable"] else {**case, **told}, False)
                self.assertEqual(len(self.server.received), 2 if case["is_repeatable"] else 1)


class Webhooks(unittest.TestCase):
    def test_webhooks(self) -> None:
        webhooks = shared("webhooks.json")
        body = webhooks["body"]
        for case in webhooks["cases"]:
            changed = {**webhooks["headers"], **case.get("headers", {})}
            headers = {name: value for name, value in changed.items() if value is not None}
            secret = case.get("secret", webhooks["secret"])
            with (
                self.subTest(case["name"]),
                mock.patch("time.time", return_value=webhooks["now_seconds"]),
            ):
                if "error" not in case:
                    for sent in (body, body.encode()):
                        event = saring.verify_webhook(sent, headers, secret)
                        self.assertEqual(event, webhooks["event"])
                    continue
                with self.assertRaises((saring.WebhookVerificationError, ValueError)) as raised:
                    saring.verify_webhook(body, headers, secret)
                self.assertIn(case["error"], str(raised.exception))

    def test_header_names_may_be_in_any_case(self) -> None:
        webhooks = shared("webhooks.json")
        headers = {name.title(): value for name, value in webhooks["headers"].items()}
        with mock.patch("time.time", return_value=webhooks["now_seconds"]):
            event = saring.verify_webhook(webhooks["body"], headers, webhooks["secret"])
        self.assertEqual(event, webhooks["event"])
