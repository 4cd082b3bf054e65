"""What is Python's own: time limits, cancelling, options, streams in pieces and tables."""

import asyncio
import importlib.util
import sys
import time
import unittest
from typing import Any
from unittest import mock

import httpx

import saring
from saring.call_limit import AsyncCallLimit
from saring.errors import SaringError
from saring.event_parser import EventParser, Position, ServerEvent
from saring.retries import retry_delay_seconds
from scripted_server import ScriptedServer

#: The server is silent for 30 s: what takes longer than this has waited for it.
HANGS_AFTER_SECONDS = 15
MODELS = {"status": 200, "body": {"models": []}}


class Calls(unittest.TestCase):
    def setUp(self) -> None:
        self.server = self.enterContext(ScriptedServer())

    def settings(self, **changes: Any) -> dict[str, Any]:
        return {"base_url": self.server.base_url, "api_key": "sar_test", **changes}

    def test_the_timeout_ends_a_call_amid_a_silent_answer(self) -> None:
        async def call() -> None:
            async with saring.AsyncSaring(**self.settings(timeout_seconds=0.2)) as client:
                await client.models.list()

        started = time.monotonic()
        self.server.script("silent", "silent")
        with saring.Saring(**self.settings(timeout_seconds=0.2)) as client:
            with self.assertRaises(saring.CallTimeoutError) as raised:
                client.models.list()
        with self.assertRaises(TimeoutError):
            asyncio.run(call())
        self.assertEqual(raised.exception.code, "timeout")
        self.assertLess(time.monotonic() - started, HANGS_AFTER_SECONDS)
        self.assertLessEqual(len(self.server.received), 2)

    def test_a_cancelled_call_ends_at_once(self) -> None:
        async def cancel() -> None:
            async with saring.AsyncSaring(**self.settings()) as client:
                call = asyncio.create_task(client.models.list())
                while not self.server.received:
                    await asyncio.sleep(0.01)
                call.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await call

        started = time.monotonic()
        self.server.script("silent")
        asyncio.run(cancel())
        self.assertLess(time.monotonic() - started, HANGS_AFTER_SECONDS)

    def test_a_call_that_is_cancelled_as_its_answer_comes_ends_too(self) -> None:
        async def cancel() -> None:
            answer = asyncio.get_running_loop().create_future()
            call = asyncio.create_task(AsyncCallLimit(HANGS_AFTER_SECONDS).within(answer))
            await asyncio.sleep(0)
            answer.set_result(MODELS)
            call.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await call

        asyncio.run(cancel())

    def test_options_change_a_copy_that_shares_the_connections(self) -> None:
        self.server.always = MODELS
        with saring.Saring(**self.settings(end_user="alice", language="en")) as client:
            with client.with_options(end_user="bob") as other:
                other.models.list()
            client.models.list()
        names = ("x-end-user", "accept-language")
        told = [tuple(one.headers[name] for name in names) for one in self.server.received]
        self.assertEqual(told, [("bob", "en"), ("alice", "en")])

    def test_a_client_of_httpx_that_is_given_stays_open(self) -> None:
        self.server.always = MODELS
        with httpx.Client() as http:
            with saring.Saring(**self.settings(http_client=http)) as client:
                client.models.list()
            self.assertFalse(http.is_closed)

    def test_rest_tells_status_headers_and_request_id(self) -> None:
        headers = {"x-request-id": "req_3", "x-ratelimit-remaining": "59"}
        self.server.script({**MODELS, "headers": headers})
        with saring.Saring(**self.settings()) as client:
            answer = client.rest.request("GET", "/api/v1/models")
        self.assertEqual(answer.headers["x-ratelimit-remaining"], "59")
        told = (answer.data, answer.status, answer.request_id)
        self.assertEqual(told, ({"models": []}, 200, "req_3"))

    def test_an_invalid_base_url_is_refused_when_the_client_is_made(self) -> None:
        for base_url in ("saring", "127.0.0.1:8080", "ftp://saring.example"):
            with self.assertRaisesRegex(ValueError, "base_url"):
                saring.Saring(base_url=base_url, api_key="sar_test")

    def test_an_id_that_would_lead_to_another_endpoint_is_refused_without_a_request(self) -> None:
        with saring.Saring(**self.settings()) as client:
            for value in (".", ".."):
                with self.assertRaisesRegex(ValueError, "job_id must be other than"):
                    client.jobs.model(value)
        self.assertEqual(self.server.received, [])

    def test_a_silent_stream_of_events_is_opened_again(self) -> None:
        told = 'id: 1\ndata: {"type": "run.succeeded", "sequence": 1}\n\n'
        stream = {"status": 200, "headers": {"content-type": "text/event-stream"}, "text": told}
        self.server.script("silent stream")
        self.server.always = stream
        with (
            mock.patch("saring.pace.SERVER_SILENCE_SECONDS", 0.5),
            mock.patch("saring.pace.RECONNECT_AFTER_SECONDS", 0.01),
            saring.Saring(**self.settings()) as client,
        ):
            events = client.events.stream(after=0, timeout_seconds=HANGS_AFTER_SECONDS)
            self.assertEqual(next(events)["sequence"], 1)
        self.assertGreaterEqual(len(self.server.received), 2)

    def test_missed_events_are_told(self) -> None:
        gap = 'id: 5\nevent: missed\ndata: {"first_sequence": 3, "last_sequence": 5}\n\n'
        told = 'id: 6\nevent: event\ndata: {"sequence": 6}\n\n'
        headers = {"content-type": "text/event-stream"}
        self.server.script({"status": 200, "headers": headers, "text": gap + told})
        missed: list[Any] = []
        with saring.Saring(**self.settings()) as client:
            events = client.events.stream(
                after=2, on_missed=missed.append, timeout_seconds=HANGS_AFTER_SECONDS
            )
            next(events)
        self.assertEqual(missed, [{"first_sequence": 3, "last_sequence": 5}])


class RetryDelays(unittest.TestCase):
    def test_the_delay_is_the_retry_after_and_at_most_a_quarter_of_a_second_more(self) -> None:
        for seconds in (0, 1, 3600):
            failure = SaringError("rate_limited", "", retry_after_seconds=seconds)
            self.assertTrue(seconds <= retry_delay_seconds(failure, 3) <= seconds + 0.25)

    def test_otherwise_it_doubles_up_to_8_s_and_varies_within_its_upper_half(self) -> None:
        failure = SaringError("data_unavailable", "")
        for repetitions in (*range(12), 5000):
            longest = min(8, 0.25 * 2 ** min(repetitions, 60))
            delay = retry_delay_seconds(failure, repetitions)
            self.assertTrue(longest / 2 <= delay <= longest, f"{delay} after {repetitions}")


class Streams(unittest.TestCase):
    TEXT = (
        "\ufeffid: 7\n\n: heartbeat\r\n\r\n"
        'event: event\rdata: {"a":\rdata: "é"}\r\r'
        "id: 8\ndata\n\n"
    )
    TOLD = [Position("7"), ServerEvent("event", '{"a":\n"é"}'), Position("8"), ServerEvent("", "")]

    def test_a_stream_says_the_same_in_pieces_of_any_size(self) -> None:
        content = self.TEXT.encode()
        for size in range(1, len(content) + 1):
            parser = EventParser(1000)
            pieces = (content[at : at + size] for at in range(0, len(content), size))
            self.assertEqual([told for piece in pieces for told in parser.feed(piece)], self.TOLD)

    def test_an_event_that_breaks_off_does_not_count_as_told(self) -> None:
        self.assertEqual(EventParser(1000).feed(b"id: 8\nevent: event\ndata: {}\n"), [])

    def test_an_event_without_an_end_is_refused(self) -> None:
        for text in (b"data: 12345678\n", b"data: 1234"):
            parser = EventParser(100)
            with self.assertRaisesRegex(saring.UnexpectedAnswerError, "larger than 100 bytes"):
                for _ in range(50):
                    parser.feed(text)


class Tables(unittest.TestCase):
    ROWS = [
        {"ticker": "BBCA", "values": {"rsi_14": 31.5}},
        {"ticker": "TLKM", "values": {"rsi_14": 33.0}},
    ]

    def test_without_pandas_the_error_says_how_to_get_it(self) -> None:
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ImportError, r"pip install 'saring\[pandas\]'"):
                saring.to_frame(self.ROWS)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "needs pandas")
    def test_rows_become_a_table(self) -> None:
        frame = saring.to_frame(self.ROWS)
        self.assertEqual(list(frame["values.rsi_14"]), [31.5, 33.0])
        by_name = saring.to_frame({"BBCA": {"close": 9500}, "TLKM": {"close": 2700}})
        self.assertEqual(list(by_name.index), ["BBCA", "TLKM"])
        self.assertEqual(by_name.loc["TLKM", "close"], 2700)
