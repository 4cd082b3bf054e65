import { type Operation, namesOf } from '../declared-api/openapi-document.ts';
import { withInput, type RequestParts } from '../declared-api/request-parts.ts';
import { OPERATOR_TOKEN } from '../processes/service-process.ts';
import type { Place } from './envelope-faults.ts';
import type { MatrixStage } from './matrix-stage.ts';
import { FAKE_KEY, type Trouble } from './troubled-gateways.ts';

/** A request that must be refused in a certain way. */
export interface Attempt {
  /** What is wrong with the request. */
  how: string;
  /** The gateway to send it to; the fleet's by default. */
  baseUrl?: string;
  parts: RequestParts;
  /** A request to send first, when the refusal takes two. */
  first?: RequestParts;
  /** The place that a 422 must name. */
  place?: Place;
  /** A text that the message must contain. */
  says?: string;
}

/** An operation that must fail, with a valid request of it for the fleet. */
export interface Target {
  operation: Operation;
  valid: RequestParts;
  stage: MatrixStage;
}

/** Every way to make an operation raise a code; empty if the operation cannot raise it. */
type Provocation = (target: Target) => Attempt[];

/** Requests without the necessary access. */
const accessProvocations: Record<string, Provocation> = {
  missing_api_key: ({ valid }) => [
    { how: 'no key', parts: { ...valid, key: undefined } },
    {
      how: 'an empty key',
      parts: { ...valid, key: undefined, headers: { ...valid.headers, 'x-api-key': '' } },
    },
  ],
  csrf_token_required: ({ valid: { headers, ...valid }, stage: { sessionCookie: cookie } }) => [
    {
      how: 'a session without its token',
      parts: { ...valid, key: undefined, headers: { ...headers, cookie } },
    },
    {
      how: 'a session with another token',
      parts: { ...valid, key: undefined, headers: { ...headers, cookie, 'x-csrf-token': 'x' } },
    },
  ],
  // Failed attempts at the fleet itself would use up the budget of this address.
  invalid_api_key: ({ valid, stage: { keys, troubled } }) => [
    { how: 'a revoked key', parts: { ...valid, key: keys.revoked } },
    { how: 'an unknown key', baseUrl: troubled.baseUrl('none'), parts: { ...valid, key: 'sar_unknown' } },
    {
      how: 'another scheme',
      baseUrl: troubled.baseUrl('none'),
      parts: { ...valid, key: undefined, headers: { ...valid.headers, authorization: 'Basic c2FyaW5n' } },
    },
  ],
  operator_token_required: ({ valid, stage: { keys, troubled } }) => [
    { how: 'no token', parts: { ...valid, key: undefined } },
    {
      how: 'an API key that may do everything else',
      baseUrl: troubled.baseUrl('none'),
      parts: { ...valid, key: keys.everyScope },
    },
    {
      how: 'another token',
      baseUrl: troubled.baseUrl('none'),
      parts: { ...valid, key: `${keys.operator}x` },
    },
  ],
  key_disabled: ({ valid, stage }) => [
    { how: 'a disabled key', parts: { ...valid, key: stage.keys.disabled } },
  ],
  insufficient_scope: ({ operation: { scope = '' }, valid, stage }) => [
    { how: 'every scope but its own', parts: { ...valid, key: stage.keys.without[scope] } },
  ],
  rate_limited: ({ operation, valid, stage: { troubled } }) => {
    if (!operation.needsKey) {
      const baseUrl = troubled.baseUrl('one open request');
      return [{ how: 'the second of one of its address', baseUrl, first: valid, parts: valid }];
    }
    const parts = { ...valid, key: troubled.limitedKey(1) };
    return [{ how: 'the second of one', baseUrl: troubled.baseUrl('none'), first: parts, parts }];
  },
  missing_end_user: ({ operation, valid }) => {
    const { 'X-End-User': _user, ...headers } = valid.headers;
    const place = ['header', 'X-End-User'];
    return [
      { how: 'no end user', parts: { ...valid, headers }, place },
      { how: 'an empty one', parts: withInput(operation, valid, 'X-End-User', ''), place },
    ];
  },
  invalid_end_user: ({ operation, valid }) =>
    [...'a@b.example a,b a/b * "alice" %61 a\tb \u00e9'.split(' '), 'a b', 'x'.repeat(65)].map((endUser) => ({
      how: endUser,
      parts: withInput(operation, valid, 'X-End-User', endUser),
    })),
  idempotency_conflict: ({ operation, valid, stage }) => {
    // Running rules changes nothing, so a key has no effect there.
    const isScreen = operation.operationId === 'runScreen';
    const kept = isScreen ? withInput(operation, valid, 'screen_id', stage.modelScreenId) : valid;
    const parts = withInput(operation, kept, 'Idempotency-Key', `matrix of ${operation.operationId}`);
    // Another user has no such screen, so a simulation asks for other money.
    const [name, value] =
      operation.operationId === 'submitSimulation'
        ? ['capital_idr', 1_000_000]
        : ['X-End-User', 'another-user'];
    const other = withInput(operation, parts, name, value);
    return [{ how: 'the key of another request', first: parts, parts: other }];
  },
};

/** How many tickers a call may name, according to the contract. */
const MAX_TICKERS: Record<string, number> = {
  getQuotes: 50,
  compareStocks: 10,
  listTurningPoints: 50,
  createWatchlist: 1_000,
  replaceWatchlist: 1_000,
};
/** More than any gateway in these tests accepts. */
const LARGE_BYTES = 200_000;

/** Requests with invalid input. */
const inputProvocations: Record<string, Provocation> = {
  // Wrong values of each input are sent by the fuzzing, which knows every schema.
  invalid_request: (target) => unknownNames(target),
  invalid_cursor: ({ operation, valid }) =>
    ['nonsense', '', 'A'.repeat(60)].map((cursor) => ({
      how: `the cursor ${cursor}`,
      parts: withInput(operation, valid, 'cursor', cursor),
      place: ['query', 'cursor'],
    })),
  too_many_tickers: ({ operation, valid }) => {
    const tickers = Array.from({ length: MAX_TICKERS[operation.operationId]! + 1 }, (_, i) => `T${i}`);
    const place = [operation.body ? 'body' : 'query', 'tickers'];
    return [{ how: 'one too many', parts: withInput(operation, valid, 'tickers', tickers), place }];
  },
  payload_too_large: ({ valid }) => [
    { how: 'a large body', parts: { ...valid, body: { x: 'y'.repeat(LARGE_BYTES) } } },
  ],
  consent_not_accepted: ({ operation, valid }) => [
    {
      how: 'accepted false',
      parts: withInput(operation, valid, 'accepted', false),
      place: ['body', 'accepted'],
    },
  ],
  stale_version: ({ operation, valid }) => [
    { how: 'a version that the screen never had', parts: withInput(operation, valid, 'version', 1_000_000) },
  ],
  stale_document_version: ({ operation, valid }) => [
    { how: 'an older version', parts: withInput(operation, valid, 'document_version', '0'.repeat(32)) },
  ],
};

function unknownNames({ operation, valid }: Target): Attempt[] {
  const query = { ...valid, query: { ...valid.query, surprise: '1' } };
  const attempts: Attempt[] = [{ how: 'an unknown parameter', parts: query, place: ['query', 'surprise'] }];
  if (operation.body) {
    const parts = withInput(operation, valid, 'surprise', 1);
    attempts.push({ how: 'an unknown field', parts, place: ['body', 'surprise'] });
  }
  return attempts;
}

/** A well-formed ticker that no dataset contains. */
const NO_TICKER = 'ZZZZ';

/** An id that does not exist, and ids that no resource can have. */
function unknownIds(name: string, unknown: string): Provocation {
  return ({ operation, valid }) =>
    namesOf(operation, 'path').includes(name)
      ? [unknown, 'two words', 'x'.repeat(65)].map((id) => ({
          how: id,
          parts: withInput(operation, valid, name, id),
        }))
      : [];
}

/** Inputs for which there may be no data: a value without data, and a text that the message must contain. */
const NOT_FOUND: [name: string, value: string, says: string][] = [
  ['ticker', NO_TICKER, NO_TICKER],
  ['broker_code', 'ZZZ', 'ZZZ'],
  ['date', '1990-01-01', '1990-01-01'],
  ['as_of', '1990-01-01', '1990-01-01'],
  ['universe', 'none', 'NONE'],
  ['document_id', 'unknown_document', 'document'],
  ['locale', 'xx', 'id, en'],
  // The market of the tests has no table of corporate actions.
  ['adjusted', 'total', 'no dividends'],
];

function namedData(target: Target): Attempt[] {
  const { operation, valid } = target;
  const names = [...namesOf(operation, 'path'), ...namesOf(operation, 'query')];
  // A ticker that no stock has is in no screen.
  if (operation.operationId === 'listScreensOfStock') return [];
  return NOT_FOUND.filter(([name]) => names.includes(name)).map(([name, value, says]) => ({
    how: `${name} ${value}`,
    parts: withInput(operation, valid, name, value),
    says,
  }));
}

const unknownTickers: Provocation = ({ operation, valid }) => [
  { how: 'unknown tickers alone', parts: withInput(operation, valid, 'tickers', [NO_TICKER, 'ZZZY']) },
];

/** Runs that ask for stocks of which there are none. */
const unknownStocks: Provocation = ({ valid }) =>
  [[NO_TICKER], [NO_TICKER, 'universe:none']].map((tickers) => ({
    how: `params.tickers ${tickers.join()}`,
    parts: { ...valid, body: { params: { tickers } } },
  }));

const unknownUniverse: Provocation = ({ operation, valid }) => [
  {
    how: 'an unknown universe beside a ticker',
    parts: withInput(operation, valid, 'tickers', [NO_TICKER, 'universe:none']),
    says: "universe 'NONE'",
  },
];

/** Operations for which no single parameter leads to missing data on the market of the tests. */
const BY_OPERATION: Record<string, Provocation> = {
  getQuotes: unknownUniverse,
  compareStocks: (target) => [...unknownTickers(target), ...unknownUniverse(target)],
  listTurningPoints: (target) => [...unknownTickers(target), ...unknownUniverse(target)],
  listFlows: (target) => [inTrouble(target, 'none')],
  scanNegoWindow: (target) => [inTrouble(target, 'none')],
  diffJobs: ({ operation, valid, stage }) => [
    { how: 'a run that left no result', parts: withInput(operation, valid, 'with', stage.failedJobId) },
  ],
  getJobModel: ({ valid }) => [{ how: 'a run that learnt nothing', parts: valid }],
  listEndUserEvents: unknownIds('end_user_id', 'two words'),
  listRejectedRows: unknownIds('version', 'two words'),
  listScreensOfStock: unknownIds('ticker', 'two words'),
  previewScreen: ({ operation, valid }) => [
    { how: 'a day before the market', parts: withInput(operation, valid, 'as_of', '1990-01-01') },
  ],
  getScreenPast: ({ operation, valid }) => [
    { how: 'a span before the market', parts: withInput(operation, valid, 'to', '1990-01-01') },
  ],
  submitSimulation: ({ operation, valid }) => [
    {
      how: 'a span before the market',
      parts: withInput(operation, withInput(operation, valid, 'from', '1990-01-01'), 'to', '1990-02-01'),
    },
  ],
  submitRun: unknownStocks,
  recordConsent: ({ operation, valid }) => [
    { how: 'an unknown document', parts: withInput(operation, valid, 'document_id', 'unknown_document') },
  ],
};

/** Requests for resources that do not exist. */
const unknownIdProvocations: Record<string, Provocation> = {
  model_not_found: (target) => [
    ...unknownIds('model_id', 'backtest_runner')(target),
    ...(namesOf(target.operation, 'path').includes('model_id') ? [] : [ofUnknownModel(target)]),
  ],
  job_not_found: (target) => [
    ...unknownIds('job_id', 'job_000000000000000000000000')(target),
    ...unknownIds('backfill_id', 'bf_000000000000000000000000')(target),
  ],
  screen_not_found: (target) => [
    ...unknownIds('screen_id', 'scr_000000000000000000000000')(target),
    ...(target.operation.operationId === 'submitSimulation'
      ? [{ how: 'no screen', parts: withInput(target.operation, target.valid, 'screen_id', 'scr_0') }]
      : []),
    ...(target.operation.operationId === 'getScreen'
      ? [{ how: 'another version', parts: withInput(target.operation, target.valid, 'version', 1_000_000) }]
      : []),
  ],
  watchlist_not_found: (target) => [
    ...unknownIds('watchlist_id', 'wl_000000000000000000000000')(target),
    ...(isOfScreen(target) ? [ofLostWatchlist(target)] : []),
  ],
  webhook_not_found: (target) => [
    ...unknownIds('webhook_id', 'wh_000000000000000000000000')(target),
    ...unknownIds('delivery_id', 'del_000000000000000000000000')(target),
  ],
  usage_event_not_found: unknownIds('event_id', 'ue_000000000000000000000000'),
  not_found: (target) => [
    ...unknownIds('session_id', 'ses_000000000000000000000000')(target),
    ...namedData(target),
    ...(BY_OPERATION[target.operation.operationId]?.(target) ?? []),
  ],
};

/** Whether a request names a screen, in its path or its body. */
function isOfScreen({ operation }: Target): boolean {
  return namesOf(operation, 'path').includes('screen_id') || operation.operationId === 'submitSimulation';
}

/** A screen by a model that does not exist. */
function ofUnknownModel({ operation, valid }: Target): Attempt {
  if (operation.operationId === 'submitSimulation') {
    const { screen_id: _, ...body } = valid.body as Record<string, unknown>;
    return { how: 'an unknown model', parts: { ...valid, body: { ...body, model_id: 'backtest_runner' } } };
  }
  const parts = { ...valid, body: { name: 'none', model_id: 'backtest_runner' } };
  return { how: 'a screen by an unknown model', parts };
}

/** These take the picks of a screen by model from a backfill. */
const FOLLOWS_BACKFILLS = ['getScreenPast', 'submitSimulation'];

/** What a screen by model does not have. */
function ofModelScreen({ operation, valid, stage }: Target): Attempt[] {
  if (FOLLOWS_BACKFILLS.includes(operation.operationId)) {
    const parts = withInput(operation, valid, 'screen_id', stage.universeScreenId);
    return [{ how: 'a screen by model among a universe', parts, says: 'universe' }];
  }
  const parts = withInput(operation, valid, 'screen_id', stage.modelScreenId);
  if (operation.operationId !== 'runScreen')
    return [{ how: 'a screen by model', parts, says: 'confluence_filter' }];
  return [
    { how: 'with a day', parts: withInput(operation, parts, 'as_of', '2024-01-02'), says: 'as_of' },
    { how: 'with columns', parts: withInput(operation, parts, 'columns', 'close'), says: 'columns' },
    { how: 'as CSV', parts: withInput(operation, parts, 'format', 'csv'), says: 'format' },
  ];
}

/** The same for a screen that looks among the tickers of a watchlist that is gone. */
function ofLostWatchlist({ operation, valid, stage }: Target): Attempt {
  return { how: 'a lost watchlist', parts: withInput(operation, valid, 'screen_id', stage.lostScreenId) };
}

/** The same request, sent to the gateway with that trouble. */
export function inTrouble({ operation, valid, stage }: Target, trouble: Trouble): Attempt {
  const parts = { ...valid, key: valid.key && (operation.isOperators ? OPERATOR_TOKEN : FAKE_KEY) };
  return { how: trouble, baseUrl: stage.troubled.baseUrl(trouble), parts };
}

const OF_SESSIONS = ['startSession', 'listSessions', 'endSession'];
/** Operations that the keys service answers. */
const OF_KEYS = ['listKeys', 'listKeyActions', ...OF_SESSIONS];
/** Operations for which the gateway calls at most the service that knows their key. */
const OF_THE_GATEWAY = ['listScopes', 'getKey', 'listFeatures', ...OF_SESSIONS];

/** Whether the operation calls anything besides the keys service. */
export function callsServices({ operationId }: Operation): boolean {
  return !OF_THE_GATEWAY.includes(operationId);
}

function rests(on: 'keys' | 'services', { operation }: Target): boolean {
  return OF_KEYS.includes(operation.operationId) === (on === 'keys');
}

/** Whether the screens service answers before the models service is asked. */
function needsScreensToo({ operation: { scope, operationId } }: Target): boolean {
  return (scope ?? '').startsWith('screens:') || operationId === 'submitSimulation';
}

const servicesUnavailable: Provocation = (target) => [inTrouble(target, 'services unavailable')];

/** Failures that the client has not caused: services that are unavailable or have a bug. */
const troubleProvocations: Record<string, Provocation> = {
  internal_error: (target) => [
    ...(target.operation.needsKey || rests('keys', target) ? [inTrouble(target, 'keys faulty')] : []),
    ...(callsServices(target.operation) && rests('services', target)
      ? [inTrouble(target, 'services faulty')]
      : []),
  ],
  data_unavailable: (target) => {
    const { needsKey, isOperators, scope } = target.operation;
    const isUnavailableAsData = scope === 'data:read' || /^(screens|webhooks):/.test(scope ?? '');
    const isOfServices = isUnavailableAsData || (isOperators && rests('services', target));
    return [
      ...(needsKey || rests('keys', target) ? [inTrouble(target, 'keys unavailable')] : []),
      ...(isOfServices ? [inTrouble(target, 'services unavailable')] : []),
    ];
  },
  model_unavailable: (target) => [
    inTrouble(target, needsScreensToo(target) ? 'models unavailable' : 'services unavailable'),
  ],
  usage_unavailable: servicesUnavailable,
  consent_unavailable: servicesUnavailable,
  consent_write_failed: servicesUnavailable,
};

export const PROVOCATIONS: Record<string, Provocation> = {
  unsupported_for_model_screen: ofModelScreen,
  ...accessProvocations,
  ...inputProvocations,
  ...unknownIdProvocations,
  ...troubleProvocations,
};
