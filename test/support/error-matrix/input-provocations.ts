import type { Parameter } from '../declared-api/openapi-document.ts';
import { withInput } from '../declared-api/request-parts.ts';
import type { Attempt, Provocation, Target } from './provocation.ts';

/** How many tickers a call may name, by the contract. */
const MAX_TICKERS: Record<string, number> = { getQuotes: 50, compareStocks: 10, listTurningPoints: 50 };
/** Larger than any gateway here takes. */
const LARGE_BYTES = 200_000;

/** Requests that may be made, but not so. */
export const inputProvocations: Record<string, Provocation> = {
  invalid_request: (target) => [
    ...unknownNames(target),
    ...wrongValues(target),
    ...badBodies(target),
    ...runProvocations(target),
  ],
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

function wrongValues({ operation, valid }: Target): Attempt[] {
  return operation.parameters
    .filter((input) => input.in !== 'path')
    .flatMap((input) => wrongTexts(input).map((text) => [input, text] as const))
    .map(([input, text]) => ({
      how: `${input.name} ${text}`,
      parts: withInput(operation, valid, input.name, text),
      place: [input.in, input.name],
    }));
}

/** Values that an input cannot have, as far as its schema alone says. */
function wrongTexts({ name, schema }: Parameter): string[] {
  if (name === 'Idempotency-Key') return ['x'.repeat(256)];
  if (schema.enum) return ['none-of-them', ''];
  if (schema.type !== 'integer' && schema.type !== 'number') return [];
  const { minimum, maximum } = schema;
  const beyond = [minimum === undefined ? [] : [minimum - 1], maximum === undefined ? [] : [maximum + 1]];
  return ['many', ...(schema.type === 'integer' ? ['1.5'] : []), ...beyond.flat().map(String)];
}

function badBodies({ operation, valid }: Target): Attempt[] {
  if (!operation.body) return [];
  return ['{"tickers":', '[]', '"text"', 'null'].map((body) => ({
    how: `the body ${body}`,
    parts: { ...valid, body },
    place: ['body'],
  }));
}

/** What the contract's error table and rules name under `invalid_request` of a run, and what the answer must name. */
const WRONG_PARAMS: [model: string, params: Record<string, unknown>][] = [
  ['model_f_combined', { min_probabilty: 60 }],
  ['model_f_combined', { min_signals: 0 }],
  ['model_f_combined', { min_signals: '2' }],
  ['model_f_combined', { target_gain: 0.31 }],
  ['model_f_combined', { strategy: 'Random' }],
  ['model_f_combined', { max_picks: 2.5 }],
  ['recovery_v4', { horizon: 15 }],
  ['recovery_v4', { positions: {} }],
  ['confluence_filter', { lookback: 11 }],
  ['confluence_filter', { analysis_date: 'tomorrow' }],
];

const WRONG_QUERIES: [model: string, query: Record<string, string>][] = [
  ['confluence_filter', { view: 'compact' }],
  ['model_f_combined', { view: 'short' }],
  ['model_f_combined', { wait: '61' }],
];

/** Runs that the parameter schemas refuse; none of another operation. */
function runProvocations({ operation, valid }: Target): Attempt[] {
  if (operation.operationId !== 'submitRun') return [];
  return [
    ...WRONG_PARAMS.map(([model_id, params]) => ({
      how: `${model_id} ${JSON.stringify(params)}`,
      parts: { ...valid, path: { model_id }, body: { params } },
      place: ['body', 'params', Object.keys(params)[0]!],
    })),
    ...WRONG_QUERIES.map(([model_id, query]) => ({
      how: `${model_id} ${JSON.stringify(query)}`,
      parts: { ...valid, path: { model_id }, query },
      place: ['query', Object.keys(query)[0]!],
    })),
  ];
}
