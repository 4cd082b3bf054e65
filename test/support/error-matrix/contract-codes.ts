/**
 * The codes of the contract's error table that each endpoint raises, according to the contract's tables and rules. The codes of
 * a group hold for each of its endpoints; an endpoint lists only its additional codes. Endpoints and codes that this service
 * added are not here.
 */
interface Group {
  codes: string;
  endpoints: Record<string, string>;
}

const KEYED = 'missing_api_key invalid_api_key key_disabled rate_limited internal_error';
const SCOPED = `${KEYED} insufficient_scope`;
const OF_END_USERS = 'missing_end_user invalid_end_user';

const GROUPS: Record<string, Group> = {
  open: { codes: 'internal_error', endpoints: { 'GET /api/health': '' } },
  scopes: { codes: KEYED, endpoints: { 'GET /api/v1/scopes': '' } },
  models: {
    codes: `${SCOPED} model_unavailable`,
    endpoints: {
      'GET /api/v1/models': '',
      'GET /api/v1/models/{model_id}': 'model_not_found',
      'GET /api/v1/models/{model_id}/params': 'model_not_found',
    },
  },
  runs: {
    codes: `${SCOPED} model_unavailable`,
    endpoints: {
      'POST /api/v1/models/{model_id}/runs': `${OF_END_USERS} model_not_found invalid_request`,
      'GET /api/v1/jobs': 'invalid_request',
      'GET /api/v1/jobs/{job_id}': 'job_not_found',
    },
  },
  'market data': {
    codes: `${SCOPED} data_unavailable`,
    endpoints: {
      'GET /api/v1/data/quotes': 'invalid_request too_many_tickers',
      'GET /api/v1/data/stocks/{ticker}': 'invalid_request not_found',
      'POST /api/v1/data/compare': 'invalid_request too_many_tickers not_found',
      'GET /api/v1/data/market-overview': '',
      'GET /api/v1/data/stocks/{ticker}/brokers': 'invalid_request not_found',
      'GET /api/v1/data/stocks/{ticker}/brokers/window': 'invalid_request not_found',
      'GET /api/v1/data/stocks/{ticker}/brokers/{broker_code}/timeline': 'invalid_request not_found',
      'GET /api/v1/data/brokers/{broker_code}/stocks': 'invalid_request',
      'GET /api/v1/data/flows': 'invalid_request',
      'GET /api/v1/data/stocks/{ticker}/nego': 'invalid_request not_found',
      'GET /api/v1/data/stocks/{ticker}/nego/brokers': 'invalid_request not_found',
      'GET /api/v1/data/nego': 'invalid_request not_found',
      'GET /api/v1/data/nego/window': 'invalid_request',
      'GET /api/v1/data/stocks/{ticker}/turning-point': 'invalid_request not_found',
      'POST /api/v1/data/turning-points': 'invalid_request too_many_tickers not_found',
    },
  },
  usage: {
    codes: `${SCOPED} usage_unavailable`,
    endpoints: {
      'GET /api/v1/usage/events': 'invalid_request invalid_cursor',
      'GET /api/v1/usage/events/{event_id}': 'usage_event_not_found',
      'GET /api/v1/usage/summary': 'invalid_request',
      'GET /api/v1/usage/end-users': 'invalid_request',
      'GET /api/v1/usage/end-users/{end_user_id}/events': 'invalid_request invalid_cursor',
    },
  },
  'admin usage': {
    codes: `${SCOPED} usage_unavailable invalid_request`,
    endpoints: {
      'GET /api/v1/admin/usage/events': 'invalid_cursor',
      'GET /api/v1/admin/usage/summary': '',
      'GET /api/v1/admin/usage/end-users': '',
      'GET /api/v1/admin/usage/keys': '',
    },
  },
  consent: {
    codes: `${KEYED} ${OF_END_USERS}`,
    endpoints: {
      'GET /api/v1/consent': 'consent_unavailable',
      'POST /api/v1/consent':
        'invalid_request consent_not_accepted stale_document_version consent_write_failed',
    },
  },
};

/** The rows of the contract's error table. */
export const CONTRACT_STATUSES: Record<string, number> = {
  missing_api_key: 401,
  invalid_api_key: 401,
  key_disabled: 403,
  insufficient_scope: 403,
  model_not_found: 404,
  job_not_found: 404,
  not_found: 404,
  usage_event_not_found: 404,
  invalid_end_user: 400,
  missing_end_user: 422,
  invalid_request: 422,
  invalid_cursor: 422,
  too_many_tickers: 422,
  consent_not_accepted: 422,
  stale_document_version: 409,
  rate_limited: 429,
  internal_error: 500,
  data_unavailable: 503,
  model_unavailable: 503,
  usage_unavailable: 503,
  consent_unavailable: 503,
  consent_write_failed: 503,
};

/** Every endpoint of the contract with the codes that it raises. */
export const CONTRACT_CODES = Object.values(GROUPS).flatMap(({ codes, endpoints }) =>
  Object.entries(endpoints).map(([endpoint, own]) => ({
    endpoint,
    codes: [...codes.split(' '), ...own.split(' ').filter((code) => code !== '')],
  })),
);
