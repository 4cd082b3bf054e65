import type { ApiErrorCode } from '#client/index.ts';
import { pick, type Activity, type Actor } from '../actor.ts';
import type { Question } from '../load-client.ts';
import { anySubmission, submit, withKey } from './submit.ts';

type Mistake = Omit<Question, 'kind' | 'app' | 'expected' | 'away'> & {
  answer: string;
  away: ApiErrorCode;
  /** Sends no key, or an unknown one. */
  key?: 'none' | 'unknown';
};

const CONFLUENCE = '/api/v1/models/confluence_filter/runs';
const UNKNOWN = { key: `sar_${'0'.repeat(40)}`, keyId: '', isLimited: true };

const run = (response: string, more: Partial<Mistake>): Mistake => ({
  method: 'POST',
  path: CONFLUENCE,
  body: {},
  away: 'model_unavailable',
  answer: response,
  ...more,
});
const consent = (response: string, { endUser }: Actor, body: object): Mistake =>
  run(response, { path: '/api/v1/consent', endUser, body, away: 'consent_write_failed' });
const read = (response: string, path: string, away: ApiErrorCode): Mistake => ({
  answer: response,
  path,
  away,
});

/** Mistakes of applications, each with the contract's answer. */
const MISTAKES: ((actor: Actor) => Mistake)[] = [
  ({ endUser }) => run('422 invalid_request', { endUser, body: { params: { lookback: 99 } } }),
  ({ endUser }) => run('422 invalid_request', { endUser, body: { params: { poll: 1 } } }),
  () => run('422 missing_end_user', {}),
  () => run('400 invalid_end_user', { endUser: 'a@b.id' }),
  ({ endUser }) => run('404 model_not_found', { endUser, path: '/api/v1/models/backtest_v1/runs' }),
  () => read('404 job_not_found', '/api/v1/jobs/job_0123456789abcdef01234567', 'model_unavailable'),
  () => read('404 not_found', '/api/v1/data/stocks/NOSUCHSTOCK', 'data_unavailable'),
  () => read('422 too_many_tickers', `/api/v1/data/quotes?tickers=${manyTickers()}`, 'data_unavailable'),
  () => read('422 invalid_request', '/api/v1/data/flows?days=1000', 'data_unavailable'),
  () => read('422 invalid_cursor', '/api/v1/usage/events?cursor=bm9uZQ', 'usage_unavailable'),
  () => read('404 usage_event_not_found', '/api/v1/usage/events/ue_0', 'usage_unavailable'),
  () => read('403 insufficient_scope', '/api/v1/admin/usage/keys', 'usage_unavailable'),
  (actor) => consent('409 stale_document_version', actor, { document_version: 'of-last-year' }),
  (actor) => {
    const { requiredConsent: document_version } = actor.market;
    return consent('422 consent_not_accepted', actor, { document_version, accepted: false });
  },
  () => ({ ...read('401 missing_api_key', '/api/v1/models', 'data_unavailable'), key: 'none' }),
  () => ({ ...read('401 invalid_api_key', '/api/v1/models', 'data_unavailable'), key: 'unknown' }),
];

export const makeMistake: Activity = async (actor) => {
  const { answer: response, key, ...question } = pick(actor, MISTAKES)(actor);
  const app = key === 'none' ? undefined : key === 'unknown' ? UNKNOWN : actor.app;
  await actor.client.ask({ kind: 'mistakes', ...question, ...(app && { app }), expected: [response] });
};

/** Sends another request with an Idempotency-Key that was already used. */
export const reuseKey: Activity = async (actor) => {
  const submission = withKey(anySubmission(actor));
  if (!(await submit(actor, submission))) return;
  const { answer: response, ...question } = run('409 idempotency_conflict', { endUser: 'somebody-else' });
  const headers = { 'idempotency-key': submission.key };
  await actor.client.ask({ kind: 'mistakes', ...question, app: actor.app, headers, expected: [response] });
};

/** One ticker more than a call may name. */
function manyTickers(): string {
  return Array.from({ length: 51 }, (_, number) => `T${number}`).join();
}
