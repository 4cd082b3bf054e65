import { namesOf } from '../declared-api/openapi-document.ts';
import { withInput } from '../declared-api/request-parts.ts';
import { inTrouble } from './trouble-provocations.ts';
import type { Attempt, Provocation, Target } from './provocation.ts';

/** Well-formed, and names nothing in any dataset. */
const NO_TICKER = 'ZZZZ';

/** An id that nothing has, and one that nothing can have. */
function unknownIds(name: string, unknown: string): Provocation {
  return ({ operation, valid }) =>
    namesOf(operation, 'path').includes(name)
      ? [unknown, 'two words', 'x'.repeat(65)].map((id) => ({
          how: id,
          parts: withInput(operation, valid, name, id),
        }))
      : [];
}

/** Inputs that may name what there is no data for, with a value that does and what the message then says. */
const NOT_FOUND: [name: string, value: string, says: string][] = [
  ['ticker', NO_TICKER, NO_TICKER],
  ['broker_code', 'ZZZ', 'ZZZ'],
  ['date', '1990-01-01', '1990-01-01'],
  ['document_id', 'unknown_document', 'document'],
  ['locale', 'xx', 'id, en'],
];

function namedData(target: Target): Attempt[] {
  const { operation, valid } = target;
  const names = [...namesOf(operation, 'path'), ...namesOf(operation, 'query')];
  return NOT_FOUND.filter(([name]) => names.includes(name)).map(([name, value, says]) => ({
    how: `${name} ${value}`,
    parts: withInput(operation, valid, name, value),
    says,
  }));
}

/** Of operations that no single parameter makes miss anything on the market of the tests. */
const BY_OPERATION: Record<string, Provocation> = {
  compareStocks: ({ operation, valid }) => [
    { how: 'unknown tickers alone', parts: withInput(operation, valid, 'tickers', [NO_TICKER, 'ZZZY']) },
  ],
  listTurningPoints: ({ operation, valid }) => [
    { how: 'unknown tickers alone', parts: withInput(operation, valid, 'tickers', [NO_TICKER, 'ZZZY']) },
  ],
  listFlows: (target) => [inTrouble(target, 'none')],
  scanNegoWindow: (target) => [inTrouble(target, 'none')],
  diffJobs: ({ operation, valid, stage }) => [
    { how: 'a run that left no result', parts: withInput(operation, valid, 'with', stage.failedJobId) },
  ],
  getJobModel: ({ valid }) => [{ how: 'a run that learnt nothing', parts: valid }],
  listEndUserEvents: unknownIds('end_user_id', 'two words'),
  listRejectedRows: unknownIds('version', 'two words'),
  recordConsent: ({ operation, valid }) => [
    { how: 'an unknown document', parts: withInput(operation, valid, 'document_id', 'unknown_document') },
  ],
};

/** Requests for what there is not. */
export const unknownIdProvocations: Record<string, Provocation> = {
  model_not_found: unknownIds('model_id', 'backtest_runner'),
  job_not_found: (target) => [
    ...unknownIds('job_id', 'job_000000000000000000000000')(target),
    ...unknownIds('backfill_id', 'bf_000000000000000000000000')(target),
  ],
  usage_event_not_found: unknownIds('event_id', 'ue_000000000000000000000000'),
  not_found: (target) => [
    ...namedData(target),
    ...(BY_OPERATION[target.operation.operationId]?.(target) ?? []),
  ],
};
