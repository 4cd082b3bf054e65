import type { ErrorCode } from '#foundation/errors/error-codes.ts';

interface ErrorAdvice {
  /** What usually leads to the error. Plain text, in which backticks mark code. */
  cause: string;
  /** What a caller does about it, and whether the same request may succeed later. In the same form. */
  cure: string;
}

const UNAVAILABLE_CURE =
  'Repeat the request with increasing delays, such as 1, 2, 4 and 8 seconds. `GET /api/health` says which service is unavailable. ';

/** Why each error happens and what helps, beside its meaning in `error-codes.ts`. The pages that `docs_url` names show it. */
export const ERROR_ADVICE: Record<ErrorCode, ErrorAdvice> = {
  missing_api_key: {
    cause:
      'The endpoint needs an API key, and the request has none: no header, a header whose name is misspelt, a proxy that removes ' +
      'it, or `Authorization` without the word `Bearer`.',
    cure: 'Send `Authorization: Bearer <API_KEY>` or `X-API-Key: <API_KEY>`. The same request without a key never succeeds.',
  },
  invalid_api_key: {
    cause:
      'The key is misspelt or cut off, has expired, was deleted, or was replaced and its grace period is over. A key of another ' +
      'installation is unknown too. A `Bearer` token is used even if `X-API-Key` has a valid key.',
    cure:
      'Compare the key with the one that you were given, without spaces or line breaks. If it is the same, ask the operator for a ' +
      'new one. Do not repeat the request: failures without a valid key use up the limit of your address.',
  },
  key_disabled: {
    cause:
      'The operator has disabled the key. All its requests are refused, and its event streams have ended.',
    cure: 'Ask the operator why, and to enable the key. It works again within a second after that.',
  },
  insufficient_scope: {
    cause:
      'The key is valid, but has no permission for this endpoint. The message names the scope that it needs.',
    cure:
      'Ask the operator for a key with that scope. `GET /api/v1/key` shows the scopes of your key, and `GET /api/v1/scopes` what ' +
      'each allows.',
  },
  model_not_found: {
    cause:
      'The model id in the path or body is misspelt, or belongs to a model that this installation does not have.',
    cure: 'Take the id from `GET /api/v1/models`. Ids are in lower case with underscores, such as `model_f_combined`.',
  },
  job_not_found: {
    cause:
      'The id is misspelt or of another kind (`job_…` for jobs, `bf_…` for backfills), the job was submitted with another key, it is ' +
      'older than the usage history reaches, or the data of its end user was erased.',
    cure: 'Use the key that submitted the job. `GET /api/v1/jobs` lists the recent jobs of a key.',
  },
  not_found: {
    cause:
      'The request is well formed, but what it asks for does not exist: a ticker that was never listed or has no row on that day, a ' +
      'day without trading, a universe that did not exist then, an explanation whose result is gone, or a misspelt path. For the old ' +
      'ticker of a renamed stock, `detail` has its `new_ticker`.',
    cure:
      'Read the message, which says what is missing. Tickers are written without a suffix (`BBCA`). `GET /api/v1/data/stocks` lists ' +
      'stocks, and `GET /api/health` the newest trading day. The same request can succeed once a later day is in the dataset.',
  },
  usage_event_not_found: {
    cause:
      'The id is misspelt, the event belongs to another key, or it has expired. A run shows up in the history a moment after it was ' +
      'accepted.',
    cure: 'Take the id from `GET /api/v1/usage/events`, with the same key.',
  },
  invalid_end_user: {
    cause: 'The value of `X-End-User` is often an e-mail address or a name with spaces.',
    cure:
      'Send an opaque, stable id of your user: 1 to 64 characters of `A-Z`, `a-z`, `0-9`, dot, underscore and hyphen, and neither ' +
      '`.` nor `..`. Map it to a person only on your side.',
  },
  missing_end_user: {
    cause: 'The endpoint acts for one user of your application, and the request does not say for which.',
    cure: 'Send `X-End-User` with an opaque, stable id of the user. Without users of your own, send one fixed id.',
  },
  invalid_request: {
    cause:
      'A name is misspelt, a value has the wrong type or is out of bounds, a header is malformed, the body is not JSON, or the path ' +
      'cannot be decoded. Names that the endpoint does not know are mistakes too. Bytes that are not an HTTP request have this code ' +
      'with status 400, 408 or 431.',
    cure:
      'Read `detail`: each entry has the place of a mistake in `loc`, what is allowed there in `msg`, and what was sent in `input`. ' +
      'The same request never succeeds.',
  },
  invalid_cursor: {
    cause:
      'The cursor was changed or cut off, comes from another endpoint or key, or was sent with other filters than the page that it ' +
      'came from.',
    cure: 'Send `next_cursor` of the page before, unchanged, with the same filters. To change a filter, begin again without a cursor.',
  },
  too_many_tickers: {
    cause:
      'The list is longer than the endpoint allows, counted without duplicates and with every member of a named universe.',
    cure: 'Split the list into several requests. The message names the limit.',
  },
  consent_not_accepted: {
    cause: '`POST /api/v1/consent` was sent with `accepted` false. Only acceptance is recorded.',
    cure: 'Send the request once the user has accepted. Until then, keep the consent gate closed and send nothing.',
  },
  stale_document_version: {
    cause:
      'The document has changed since your application loaded it, so that the user has accepted an old text.',
    cure: 'Fetch `GET /api/v1/consent/documents/{document_id}` again, show its text, and send its `version` after the user has accepted.',
  },
  rate_limited: {
    cause:
      'The key has sent more requests in a minute than it may, holds too many event streams or running backfills, or has too little ' +
      'left of the processor time that its work may cost in a minute. Without a valid key, the limit is that of the address, which all behind one proxy share.',
    cure:
      'Wait for the seconds in `Retry-After`, then repeat the request. `X-RateLimit-Remaining` and `X-Cost-Remaining` show what is left. Poll a job every 2 ' +
      'to 5 seconds or read its events, read many stocks with one request, and ask the operator for a higher limit if that is not enough.',
  },
  internal_error: {
    cause: 'A mistake of ours. Nothing in the request is known to be wrong.',
    cure:
      'Send `request_id` to the operator: the log says what happened. Before you repeat a request that creates something, look ' +
      'whether it did, or repeat it with the same `Idempotency-Key`.',
  },
  data_unavailable: {
    cause:
      'No dataset is loaded yet, or a service that the request needs does not answer in time: market data, keys, screens, webhooks or ' +
      'the scheduler. It often is restarting.',
    cure: `${UNAVAILABLE_CURE}A read can always be repeated.`,
  },
  model_unavailable: {
    cause: 'The service that accepts runs and keeps jobs does not answer in time. It often is restarting.',
    cure:
      `${UNAVAILABLE_CURE}Repeat a submission with the same \`Idempotency-Key\`, so that it cannot start a second run, until the answer is ` +
      'no 503: the first request may have started the run although its answer was lost. Jobs that were accepted are not lost.',
  },
  usage_unavailable: {
    cause:
      'The ledger of runs cannot be read. Runs go on and are recorded later; only reading the history fails.',
    cure: `${UNAVAILABLE_CURE}A read can always be repeated.`,
  },
  consent_unavailable: {
    cause: 'Whether the user has accepted cannot be read at the moment.',
    cure: `Keep the consent gate closed: not knowing is not acceptance. ${UNAVAILABLE_CURE}`.trim(),
  },
  consent_write_failed: {
    cause: 'The acceptance could not be stored, and will not be stored later.',
    cure: `Keep the consent gate closed. ${UNAVAILABLE_CURE}Open the gate after a 201 alone.`,
  },
  idempotency_conflict: {
    cause:
      'An `Idempotency-Key` stands for one request. This one was sent within the last 24 hours with another body, path or end user.',
    cure:
      'Make a new random value for each intended request, such as a UUID. Send the same value only when you repeat exactly the same ' +
      'request.',
  },
  method_not_allowed: {
    cause: 'The path is right and the method is not, for example a GET where the endpoint takes a POST.',
    cure: 'Use one of the methods in the header `Allow`.',
  },
  payload_too_large: {
    cause:
      'The body is larger than the operator allows, 128 KiB unless set otherwise. A compressed body counts as unpacked.',
    cure: 'Send less in one request, for example fewer positions or tickers.',
  },
  csrf_token_required: {
    cause:
      'The request was authenticated by the cookie of a session, and `X-CSRF-Token` was missing or of another session, for example ' +
      'because another tab has signed in anew.',
    cure: 'Read `csrf_token` from `GET /api/v1/session` and send it with each request that changes something. Applications send a key instead.',
  },
  origin_not_allowed: {
    cause:
      'A page in a browser called the tools for agents at `/mcp`, and its origin is not one that the operator has listed.',
    cure: 'Call from a server or a desktop program, which send no `Origin`, or ask the operator to add the origin to `CORS_ORIGINS`.',
  },
  operator_token_required: {
    cause:
      'The endpoint is for the operator, and takes no API key. The token was missing, wrong or of another installation.',
    cure:
      'Send `Authorization: Bearer <OPERATOR_TOKEN>`. Applications need none of these endpoints: `GET /api/v1/usage/events` shows the ' +
      'runs of your own key.',
  },
  caller_identity_required: {
    cause:
      'A service was called over gRPC without a client certificate or service token that it knows. REST has no such error.',
    cure: 'Give the calling service its certificate, or the token of the service that it calls. The document on gRPC says how.',
  },
  caller_not_allowed: {
    cause:
      'The caller is known, but this gRPC method is not among those that it may call. REST has no such error.',
    cure: 'Call the method as a service that may, or use the REST endpoint. The document on gRPC lists who may call what.',
  },
  screen_not_found: {
    cause:
      'The id or `version` is misspelt, the screen was deleted, or it belongs to another end user and is not shared. For whom it is ' +
      'not meant, it does not exist.',
    cure: 'Send the `X-End-User` who owns the screen. `GET /api/v1/screens` lists what an end user can read.',
  },
  watchlist_not_found: {
    cause:
      'The id is misspelt, the watchlist was deleted, or it belongs to another end user and is not shared. A screen fails so too if ' +
      'its watchlist is gone.',
    cure: 'Take the id from `GET /api/v1/watchlists`. Replace a screen whose watchlist is gone by one with another universe.',
  },
  webhook_not_found: {
    cause:
      'The id is misspelt, the webhook was deleted, its delivery has expired, or both belong to another key.',
    cure: 'Take the id from `GET /api/v1/webhooks`, and that of a delivery from the deliveries of the webhook.',
  },
  stale_version: {
    cause:
      'Somebody has replaced the screen since you read it: `version` in the body is no longer its newest.',
    cure: 'Read the screen again, apply your change to what it is now, and send the new `version`. Without `version`, the last writer wins.',
  },
  unsupported_for_model_screen: {
    cause:
      'A screen by model starts a run instead of evaluating rules, so that some requests have no meaning for it.',
    cure: 'Run it without these parameters, poll its job, and use `GET /api/v1/jobs/{job_id}/explain` and `…/diff` on the result.',
  },
  import_rejected: {
    cause:
      'The operator’s import found rows or files that cannot be served, so that nothing of it was published. REST has no such error.',
    cure: 'Read the report of the import, which names the files and rows, correct them, and import again.',
  },
};
