import type { TAGS } from './define-route.ts';

export const TAG_DESCRIPTIONS: Record<(typeof TAGS)[number], string> = {
  System: 'Health and scopes.',
  Models: 'The published screening models and their parameters.',
  'Runs and jobs': 'Running a model, and polling for its result.',
  'Market data': 'Synchronous reads from the analysed dataset.',
  Usage: 'Recorded model runs of the calling key.',
  'Admin usage': 'Recorded model runs of every key and channel; for the operator.',
  Consent: 'The disclaimer that end users accept before they see results.',
};

/** What a developer should know before the first call. */
export const OVERVIEW = `
Saring screens the Indonesian equity market. Models return candidate stocks (picks); market-data endpoints read the
same dataset synchronously. Bodies are JSON in UTF-8.

## Keys

Every endpoint except health and this reference needs an API key, sent as \`Authorization: Bearer <API_KEY>\` or
\`X-API-Key: <API_KEY>\` (if both are sent, the first counts). A key identifies your application, not a person: keep it
on your servers. Keys carry scopes; each endpoint names the one it needs. Changes to a key take effect within a second.

## The dataset

Answers are as of the dataset's last trading day; they are not live ticks, and the latest day can be partial. Every
model result states the trading day it analysed: **show that day to your users**. The operator may run the service on a
generated market for trying things out: \`GET /api/health\` then says \`synthetic: true\`, and dataset versions begin with
\`synthetic-\`. **Say so to your users**: nothing in such a dataset ever traded. Or on real bars with generated broker rows:
\`synthetic_brokers: true\`, and versions that end with \`-synthetic-brokers\`. Who bought and sold is then made up.

Prices and values are in IDR, share counts in shares (not lots), percentages in percent (1.5 is 1.5 %) unless a field
says fraction. Ticker codes are accepted in any case and returned in upper case. Dates are trading days as YYYY-MM-DD;
datetimes are ISO 8601 with the offset of Asia/Jakarta, +07:00. Display text is in Bahasa Indonesia: branch on codes and
scores, never on text.

Every market-data answer, and every job with a result, says its dataset version in \`X-Dataset-Version\`. Every market-data GET carries an \`ETag\`: send
it back as \`If-None-Match\` and while nothing has changed the answer is 304 without a body. Answers over 1 KiB are
gzipped for clients that send \`Accept-Encoding: gzip\`.

## Runs

1. \`POST /api/v1/models/{model_id}/runs\` with \`X-End-User\`, optionally with \`wait\` (0 to 60 seconds).
2. 200: the run ended within \`wait\`; read \`status\`, then \`result\`.
3. 202: poll \`poll_url\` every 2 to 5 seconds until \`status\` is succeeded, failed or interrupted. Faster gives no
   benefit and costs rate-limit budget. Or read \`/api/v1/jobs/{job_id}/events\`, which tells each state as it comes.

Send an \`Idempotency-Key\` with each submission, so that repeating it after a lost answer cannot run it twice.

## Consent

Before an end user sees results, ask \`GET /api/v1/consent\`. While \`accepted\` is false, show the text of
\`GET /api/v1/consent/documents/fair_disclaimer\` and block until \`POST /api/v1/consent\` has answered 201 for the version
that you showed. A failure of either call is not an acceptance.

## Rate limits

60 requests per minute and key unless the key has its own limit; every authenticated request counts, whatever its
answer. Authenticated answers, errors too, carry \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`,
and the IETF draft's \`RateLimit\` and \`RateLimit-Policy\`. Over the budget: 429 \`rate_limited\` with \`Retry-After\` in whole seconds.

## Errors

Every failure has one envelope, \`{"error": {"code", "message", "request_id"}}\`. Branch on \`code\`. A 422 also carries
\`detail\`, a list of what is wrong where. Unknown query parameters and unknown body fields are mistakes too. Unknown
paths answer 404 \`not_found\`, other methods 405 \`method_not_allowed\` with \`Allow\`. 503 codes are transient: try again
with growing pauses. Every answer carries \`X-Request-ID\`; an id that you send yourself is not taken over.

## Versions

Within /api/v1 endpoints, response fields and optional parameters may be added: ignore what you do not know.
`.trim();
