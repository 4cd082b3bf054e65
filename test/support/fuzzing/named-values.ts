import fc from 'fast-check';
import { vi } from 'vitest';
import { startedSession } from '../declared-api/request-parts.ts';
import { tradedTickers, tradingDays } from '../measuring/market-values.ts';
import { endedBackfill } from '../rest/backfills.ts';
import { submitRunOf } from '../rest/jobs.ts';
import type { Rest } from '../rest/rest.ts';
import { alternatives, type JsonSchema } from '../declared-api/json-schema.ts';
import { IN_TIME } from '#support/hangs.ts';

/** Values for inputs by name, where the schema says less than the contract. A function decides by the schema. */
export type NamedValues = Record<
  string,
  fc.Arbitrary<unknown> | ((schema: JsonSchema) => fc.Arbitrary<unknown> | undefined)
>;

/** Values from the dataset under test, so that some requests find something. */
export interface MarketValues {
  tickers: string[];
  brokers: string[];
  /** Trading days, YYYY-MM-DD. */
  days: string[];
  /** Ids of jobs and of backfills of the calling key. */
  jobs: string[];
  backfills: string[];
}

/** Few enough for any call. */
const FEW = 10;
const FIRST_DAY = new Date('1900-01-01');
const LAST_DAY = new Date('2200-12-31');

/** Values for inputs about the market and about runs on it. */
export const marketValues = (market: MarketValues): NamedValues => ({
  ticker: codes(market.tickers),
  broker_code: codes(market.brokers),
  job_id: idsLike(market.jobs, JOB_ID),
  with: idsLike(market.jobs, JOB_ID),
  params: fc.constantFrom({}, null),
  backfill_id: idsLike(market.backfills, /^bf_[0-9a-f]{0,40}$/),
  from: fc.constantFrom(...market.days.toSorted().slice(-4, -2)),
  to: fc.constantFrom(...market.days.toSorted().slice(-2)),
  // The cursor of events is a number.
  after: ({ type }) => (type === 'integer' ? undefined : fc.constantFrom(...market.days)),
  tickers: fc.array(fc.oneof(often(inAnyCase(market.tickers)), anyWord, anyUniverse), {
    minLength: 1,
    maxLength: FEW,
  }),
  as_of: daysOf(market),
  date: fc.oneof(fc.constant('today'), daysOf(market)),
  'Accept-Language': fc.oneof(
    fc.constantFrom('id', 'en', 'en-US,en;q=0.8', 'de', '*', 'id;q=0, en'),
    trimmedText,
  ),
  'If-None-Match': fc.constantFrom('*', 'W/"x"', '"x", W/"y"', 'x', '""', ','),
});

const JOB_ID = /^job_[0-9a-f]{0,40}$/;

/** A header value that arrives unchanged, because no white space is trimmed from it. */
const trimmedText = fc.stringMatching(/^[!-~]([ -~]{0,60}[!-~])?$/);

/** Trading days and arbitrary dates. */
function daysOf({ days }: MarketValues): fc.Arbitrary<string> {
  const any = fc.date({ min: FIRST_DAY, max: LAST_DAY, noInvalidDate: true });
  return fc.oneof(
    fc.constantFrom(...days),
    any.map((day) => day.toISOString().slice(0, 10)),
  );
}

/** Lists that contain no ticker. */
export const noTickers = fc.array(fc.constantFrom('', ' ', '\t', '\u00a0'), { minLength: 1, maxLength: FEW });

/** Texts that resemble a trading day but are invalid. */
export const noDates = fc.oneof(
  fc.constantFrom('', 'TODAY', 'yesterday', 'today ', ' 2024-01-02', 'null', '1704153600', '9'.repeat(400)),
  fc.constantFrom(...'2024-02-30 2023-02-29 2024-13-01 2024-00-10 2024-01-02T00:00:00'.split(' ')),
  fc.constantFrom(...'20240102 2024-1-2 02-01-2024 +002024-01-02 -2024-01-02 24-01-02'.split(' ')),
  fc.constantFrom('2024-01-0\u0662', '2024-01-02\0', '2024\u201301\u201302'),
  fc.stringMatching(/^\d{4}-\d{2}-(3[2-9]|[4-9]\d)$/),
);

const plainCode = fc.stringMatching(/^[A-Z0-9]{1,6}$/);
/** Words without comma or blank, up to the 64 characters of the longest code. Plain codes come more often. */
const anyWord = fc.oneof(
  plainCode,
  fc.stringMatching(/^[!-+\--~]{1,64}$/),
  fc.string({
    unit: fc.constantFrom('a', 'é', '\u00df', '😀', '%', '"', "'"),
    minLength: 1,
    maxLength: 40,
  }),
);

const anyUniverse = fc.constantFrom('universe:LQ45', 'Universe:sharia', 'universe:', 'universe:\u{1f600}');

/** Ids that exist, and less often other ids of the same form and arbitrary texts. */
export function idsLike(known: string[], form: RegExp): fc.Arbitrary<string> {
  return fc.oneof(
    often(fc.constantFrom(...known)),
    fc.stringMatching(form),
    fc.stringMatching(/^[!-~]{1,64}$/),
  );
}

function codes(known: string[]): fc.Arbitrary<string> {
  return fc.oneof(often(inAnyCase(known)), plainCode, fc.stringMatching(/^[!-~]{1,64}$/));
}

function often<T>(arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> {
  return { weight: 4, arbitrary };
}

function inAnyCase(known: string[]): fc.Arbitrary<string> {
  return fc.mixedCase(fc.constantFrom(...known));
}

/** Large brokers of every class. Some of them trade any stock that is traded at all. */
const BROKERS = ['AK', 'CC', 'XL', 'YP', 'ZP'];
const DAYS = 250;

/** Tickers and days of the dataset that a gateway serves, and two runs on it, of which only one has trained a model. */
export async function marketUnderTest(rest: Rest): Promise<MarketValues> {
  const tickers = await tradedTickers(rest, 100);
  const days = await tradingDays(rest, DAYS, tickers[0]);
  const runs = ['model_f_combined', 'confluence_filter'].map((model) =>
    submitRunOf(rest, model, null, '?wait=60'),
  );
  const jobs = (await Promise.all(runs)).map(({ job_id }) => job_id);
  const backfills = [(await endedBackfill(rest, days[0]!)).backfill_id];
  return { tickers, brokers: BROKERS, days, jobs, backfills };
}

/** Values that belong to the key under test, so that some requests find something. */
interface AccountValues {
  keyId: string;
  endUsers: string[];
  /** Ids of recorded runs. */
  events: string[];
  sessions: string[];
  models: string[];
  /** The dataset version that is served. */
  datasetVersion: string;
  document: { id: string; version: string };
}

/** The first and the last second that the API accepts, in 2001 and 2286. */
const [FIRST_SECOND, LAST_SECOND] = [1_000_000_000, 9_999_999_999];

/** The same as `marketValues`, for inputs about models, usage and consent. */
export function accountValues(account: AccountValues): NamedValues {
  const keyIds = idsLike([account.keyId], /^key_[0-9a-f]{0,40}$/);
  const endUsers = fc.oneof(
    fc.constantFrom(...account.endUsers),
    fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/),
  );
  return {
    model_id: idsLike(account.models, /^[a-z]+_v\d{1,2}$/),
    event_id: idsLike(account.events, /^ue_[0-9a-f]{0,40}$/),
    session_id: idsLike(account.sessions, /^ses_[0-9a-f]{0,40}$/),
    schedule_id: idsLike(['sch_0123456789abcdef01234567'], /^sch_[0-9a-f]{0,40}$/),
    // That of a screen is a number.
    version: (schema) =>
      alternatives(schema).some(({ type }) => type === 'integer')
        ? undefined
        : idsLike([account.datasetVersion], /^synthetic-\d{8}-\d$/),
    key_id: keyIds,
    api_key_id: keyIds,
    end_user: endUsers,
    end_user_id: endUsers,
    'X-End-User': endUsers,
    document_id: idsLike([account.document.id], /^[a-z_]{1,30}$/),
    document_version: fc.constant(account.document.version),
    accepted: fc.constant(true),
    since: moments,
    until: moments,
    wait: fc.constantFrom(0, 0, 1),
    'Last-Event-ID': fc.oneof(fc.constantFrom('queued', 'running', 'succeeded', 'failed'), trimmedText),
    'Idempotency-Key': trimmedText,
  };
}

const dateTimes = fc
  .date({ min: new Date('1960-01-01'), max: new Date('2200-12-31'), noInvalidDate: true })
  .map((moment) => moment.toISOString());

/** Moments in each form that the contract allows. */
const moments: fc.Arbitrary<string> = fc.oneof(
  dateTimes.map((text) => text.slice(0, 10)),
  dateTimes,
  dateTimes.map((text) => text.slice(0, -1)),
  fc
    .tuple(dateTimes, fc.constantFrom('+07:00', '-03:30', '+0000', ' 07:00', 'z'))
    .map(([text, offset]) => text.slice(0, 19) + offset),
  fc.integer({ min: FIRST_SECOND, max: LAST_SECOND }).map(String),
  fc.integer({ min: 1_000 * FIRST_SECOND, max: 1_800_000_000_999 }).map((ms) => (ms / 1_000).toFixed(3)),
);

/** Texts that resemble a moment but are invalid. */
export const noMoments = fc.oneof(
  fc.constantFrom('', 'today', 'now', 'null', '-1', '+5', '1e9', '1.', '.5', '0x10', 'NaN', '9'.repeat(11)),
  fc.constantFrom('2024-02-30', '2024-13-01', '2024-1-2', '2024/01/02', ' 2024-01-02', '2024-01-02 '),
  fc.constantFrom(...['', '24:00', '10:60', '10', '10:00:60'].map((time) => `2024-01-02T${time}`)),
  fc.constantFrom(...['+25:00', ' WIB', '.'].map((end) => `2024-01-02T10:00:00${end}`), '2024-W01-1'),
  fc.constantFrom('2024-01-02\0', '2024-01-0\u0662', '😀', '9'.repeat(5_000), "2024-01-02' OR 1=1"),
);

/** Texts that no list has issued as a cursor. */
export const noCursors = fc.oneof(
  fc.constantFrom('', 'x', '0', 'null', '😀', '\0', 'A'.repeat(5_000), 'AQ', '-_-_'),
  fc.base64String({ minLength: 32, maxLength: 120 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

/** More than the requests that end them. */
const SESSIONS = 13;

/** Values of a key that has run models for the end user `tester`. Also records an acceptance by that user. */
export async function accountUnderTest(rest: Rest, keyId: string): Promise<AccountValues> {
  const endUser = 'tester';
  const { body: catalogue } = await rest.get<{ models: { id: string }[] }>('/api/v1/models');
  const { body: overview } = await rest.get<{ dataset_version: string }>('/api/v1/data/market-overview');
  type Consent = { document_id: string; required_version: string };
  const { body: consent } = await rest.get<Consent>('/api/v1/consent', { endUser });
  const { document_id: id, required_version: version } = consent;
  await rest.post('/api/v1/consent', { document_version: version }, { endUser });
  return {
    keyId,
    endUsers: [endUser],
    events: await recordedEvents(rest),
    sessions: await Promise.all(Array.from({ length: SESSIONS }, () => startedSession(rest))),
    models: catalogue.models.map((model) => model.id),
    datasetVersion: overview.dataset_version,
    document: { id, version },
  };
}

/** Waits for the runs to be recorded, shortly after they were accepted. */
function recordedEvents(rest: Rest): Promise<string[]> {
  const check = async () => {
    const { body } = await rest.get<{ events: { event_id: string }[] }>('/api/v1/usage/events');
    if (body.events.length < 2) throw new Error('the runs of the key under test are not recorded yet');
    return body.events.map(({ event_id }) => event_id);
  };
  return vi.waitFor(check, IN_TIME);
}
