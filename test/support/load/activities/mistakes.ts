import type { ApiErrorCode } from '#client/index.ts';
import { pick, type Activity, type Actor } from '../actor.ts';
import type { Question } from '../load-client.ts';
import { anySubmission, submit, withKey } from './submit.ts';

type Mistake = Omit<Question, 'kind' | 'app' | 'expected' | 'away'> & {
  answer: string;
  away?: ApiErrorCode;
  /** Sends no key, or an unknown one. */
  key?: 'none' | 'unknown';
};

const CONFLUENCE = '/api/v1/models/confluence_filter/runs';
const CONSENT = '/api/v1/consent';
const RUN = { method: 'POST', away: 'model_unavailable' } as const;
const READ = { away: 'data_unavailable' } as const;
const UNKNOWN = { key: `sar_${'0'.repeat(40)}`, keyId: '', isLimited: true };

/** Mistakes of applications, each with the contract's answer. */
const MISTAKES: ((actor: Actor) => Mistake)[] = [
  ({ endUser }) => ({
    ...RUN,
    path: CONFLUENCE,
    endUser,
    body: { params: { lookback: 99 } },
    answer: '422 invalid_request',
  }),
  ({ endUser }) => ({
    ...RUN,
    path: CONFLUENCE,
    endUser,
    body: { params: { look: 1 } },
    answer: '422 invalid_request',
  }),
  () => ({ ...RUN, path: CONFLUENCE, body: {}, answer: '422 missing_end_user' }),
  () => ({ ...RUN, path: CONFLUENCE, endUser: 'a@b.id', body: {}, answer: '400 invalid_end_user' }),
  ({ endUser }) => ({
    ...RUN,
    path: '/api/v1/models/backtest_v1/runs',
    endUser,
    body: {},
    answer: '404 model_not_found',
  }),
  () => ({
    path: '/api/v1/jobs/job_0123456789abcdef01234567',
    away: 'model_unavailable',
    answer: '404 job_not_found',
  }),
  () => ({ ...READ, path: '/api/v1/data/stocks/NOSUCHSTOCK', answer: '404 not_found' }),
  () => ({ ...READ, path: `/api/v1/data/quotes?tickers=${manyTickers()}`, answer: '422 too_many_tickers' }),
  () => ({ ...READ, path: '/api/v1/data/flows?days=1000', answer: '422 invalid_request' }),
  () => ({
    away: 'usage_unavailable',
    path: '/api/v1/usage/events?cursor=bm9uZQ',
    answer: '422 invalid_cursor',
  }),
  () => ({
    away: 'usage_unavailable',
    path: '/api/v1/usage/events/ue_0',
    answer: '404 usage_event_not_found',
  }),
  () => ({ away: 'usage_unavailable', path: '/api/v1/admin/usage/keys', answer: '403 insufficient_scope' }),
  ({ endUser }) => ({
    method: 'POST',
    path: CONSENT,
    endUser,
    body: { document_version: 'of-last-year' },
    away: 'consent_write_failed',
    answer: '409 stale_document_version',
  }),
  ({ endUser, market }) => ({
    method: 'POST',
    path: CONSENT,
    endUser,
    away: 'consent_write_failed',
    body: { document_version: market.requiredConsent, accepted: false },
    answer: '422 consent_not_accepted',
  }),
  () => ({ path: '/api/v1/models', key: 'none', answer: '401 missing_api_key' }),
  () => ({ path: '/api/v1/models', key: 'unknown', answer: '401 invalid_api_key' }),
];

export const makeMistake: Activity = async (actor) => {
  const { answer, key, away = 'data_unavailable', ...question } = pick(actor, MISTAKES)(actor);
  const app = key === 'none' ? undefined : key === 'unknown' ? UNKNOWN : actor.app;
  await actor.client.ask({ kind: 'mistakes', ...question, ...(app && { app }), away, expected: [answer] });
};

/** Sends another request with an Idempotency-Key that was already used. */
export const reuseKey: Activity = async (actor) => {
  const submission = withKey(anySubmission(actor));
  if (!(await submit(actor, submission))) return;
  const { client, app } = actor;
  await client.ask({
    kind: 'mistakes',
    ...RUN,
    path: CONFLUENCE,
    app,
    endUser: 'somebody-else',
    body: {},
    headers: { 'idempotency-key': submission.key },
    expected: ['409 idempotency_conflict'],
  });
};

/** One ticker more than a call may name. */
function manyTickers(): string {
  return Array.from({ length: 51 }, (_, number) => `T${number}`).join();
}
