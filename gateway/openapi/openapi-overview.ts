import { ERROR_PAGES } from '../responses/errors.ts';
import type { TAGS } from '../declarations/route.ts';

export const TAG_DESCRIPTIONS: Record<(typeof TAGS)[number], string> = {
  System: 'Health and scopes.',
  Sessions: 'Browsers that are signed in with a key and do not keep it.',
  Models: 'The published screening models and their parameters.',
  'Runs and jobs': 'Run a model and retrieve its result.',
  Backfills:
    'Run a model over many past days as one job. The results are history, and not part of the record.',
  'Market data': 'Synchronous reads from the analysed dataset.',
  Screens: 'Rules on fields that end users keep, and who is in them day by day.',
  Watchlists: 'Lists of tickers that end users keep.',
  Events: 'What has happened to the calling key, as a list or as a stream.',
  Webhooks: 'Endpoints of your application, to which events are delivered.',
  Usage: 'Recorded model runs of the calling key.',
  'Admin usage': 'Recorded model runs of all keys and channels, for the operator.',
  Operator: 'State of the fleet for its operator, read only. Available if the operator has enabled it.',
  Consent: 'The disclaimer that end users must accept before they see results.',
};

/** What a developer needs to know before the first call. */
export const OVERVIEW = `
Saring screens the Indonesian equity market. Models return candidate stocks (picks). Market-data endpoints read the same
dataset synchronously. Request and response bodies are JSON in UTF-8; bars can also be CSV.

## Keys

Every endpoint except health and this reference needs an API key, sent as \`Authorization: Bearer <API_KEY>\` or
\`X-API-Key: <API_KEY>\` (if both are sent, the first is used). A key identifies your application, not a person: keep it
on your servers. A page of another origin can call the API from a browser only if the operator has listed its origin, and whoever
opens the page can read its key. Keys have scopes; each endpoint names the scope it needs. Changes to a key take effect within a second.

For the tests of your application there are [test keys](/docs/test-keys). Their secrets begin with \`sar_test_\`, and they see a generated
market that is always the same, under the same endpoints and limits; its dataset version begins with \`synthetic-test-\`.

## The dataset

Responses are as of the dataset's last trading day. They are not live ticks, and the latest day can be partial. Every
model result names the trading day it analysed: **show that day to your users**. Days can be missing, for example when the
source of the data fails. Models then run on the old days. Every market-data response says so in \`X-Data-As-Of\` and
\`X-Data-Behind-Trading-Days\`, and \`freshness\` says since when and why: in health, in the market overview, and beside the
result of every job.

The operator can run the service on a market that is generated for testing. \`GET /api/health\` then returns
\`synthetic: true\`, and dataset versions begin with \`synthetic-\`. **Tell your users**: nothing in such a dataset was ever
traded. The operator can also use real bars with generated broker rows. \`GET /api/health\` then returns
\`synthetic_brokers: true\`, and dataset versions end with \`-synthetic-brokers\`. Who bought and sold is then made up.

Prices and values are in IDR, share counts in shares (not lots), and percentages in percent (1.5 is 1.5 %) unless a field
says fraction. Ticker codes are accepted in any case and returned in upper case. Dates are trading days as YYYY-MM-DD.
Datetimes are ISO 8601 with the offset of Asia/Jakarta, +07:00. Display text is in Bahasa Indonesia, or in English with
\`Accept-Language: en\`. Branch on codes and scores, never on text.

Every market-data response, and every job with a result, names its dataset version in \`X-Dataset-Version\`. Every
market-data GET, and /api/v1/fields/values, returns an \`ETag\`. Send it back as \`If-None-Match\`: while nothing has changed, the response is 304 without
a body. Responses over 1 KiB are compressed with gzip for clients that send \`Accept-Encoding: gzip\`.

## Runs

1. \`POST /api/v1/models/{model_id}/runs\` with \`X-End-User\`, optionally with \`wait\` (0 to 60 seconds).
2. 200: the run ended within \`wait\`. Read \`status\`, then \`result\`.
3. 202: poll \`poll_url\`, for the first time after the seconds in \`Retry-After\`, then every 2 to 5 seconds, until \`status\` is
   succeeded, failed or interrupted. Faster polling gives no benefit and uses up the rate limit. Every 202 response names what to
   poll in \`Location\` too. Alternatively read \`/api/v1/jobs/{job_id}/events\`, which streams each state change.

Send an \`Idempotency-Key\` with each submission, so that repeating it after a lost response cannot start a second run.

## Consent

Before an end user sees results, call \`GET /api/v1/consent\`. While \`accepted\` is false, show the text of
\`GET /api/v1/consent/documents/fair_disclaimer\` and block access until \`POST /api/v1/consent\` has returned 201 for the
version that you showed. If either call fails, treat the document as not accepted.

## Rate limits

Each key can send 60 requests per minute, unless it has its own limit. Every authenticated request counts, whatever its
response. Authenticated responses, including errors, carry \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and
\`X-RateLimit-Reset\`, and \`RateLimit\` and \`RateLimit-Policy\` of the IETF draft. Over the limit, the response is 429
\`rate_limited\` with \`Retry-After\` in whole seconds.

What computes for a key (rules, pasts, simulations, backfills) is charged to its budget before it begins, in milliseconds of
processor time: \`X-Cost\` of the response, and \`X-Cost-Limit\`, \`X-Cost-Remaining\` and \`X-Cost-Reset\` of the budget, which
\`GET /api/v1/key\` shows too. It allows a second for each request of the rate limit. If too little is left, the response is 429
\`rate_limited\`, with \`Retry-After\`. Work that is refused costs nothing.

Requests without a valid key are limited by address: after 300 requests in a minute, further requests fail with 429
\`rate_limited\` and their connection is closed. Health, this reference and the operator's endpoints have a separate limit of
6,000 requests per minute. The operator can set other limits. A connection can carry many requests at the same time, of
which 16 are processed concurrently. A client that reads nothing of its responses for a minute is disconnected.

## Errors

Every error has the same envelope, \`{"error": {"code", "message", "request_id", "docs_url"}}\`. Branch on \`code\`. \`docs_url\` is
the path of a page with the cause and the cure of the code; [all codes](${ERROR_PAGES}) have one. A 422 also has
\`detail\`, a list of the mistakes and their locations. Unknown query parameters and unknown body fields are mistakes too, and so
are control characters in any text, except tabs and line breaks, and halves of surrogate pairs.
Unknown paths return 404 \`not_found\`. Other methods return 405 \`method_not_allowed\` with \`Allow\`. 503 errors are
transient: try again with increasing delays. Every response carries \`X-Request-ID\`. An id that you send yourself is ignored.

## Versions

Within /api/v1, endpoints, response fields and optional parameters can be added. Ignore fields that you do not know. Whatever is
going to be removed is deprecated at least twelve months before: this document says what to use instead, and every response has
\`Deprecation\`, and \`Sunset\` with the earliest day of its removal.
`.trim();
