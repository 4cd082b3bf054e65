import type { Attempt, Target } from './provocation.ts';

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
export function runProvocations({ operation, valid }: Target): Attempt[] {
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
