import fc from 'fast-check';
import { vi } from 'vitest';
import type { Rest } from '../fleets/rest.ts';
import { idsLike, trimmedText, type NamedValues } from './market-values.ts';

/** What the key under test has, so that some requests find something. */
interface AccountValues {
  keyId: string;
  endUsers: string[];
  /** Ids of recorded runs. */
  events: string[];
  models: string[];
  /** The one that is served. */
  datasetVersion: string;
  document: { id: string; version: string };
}

/** The latest second that a client may ask for, and one that no clock shows for long. */
const LAST_SECOND = 999_999_999_999;

/** The same of inputs about models, usage and consent as `marketValues` says of those about the market. */
export const accountValues =
  (account: AccountValues): NamedValues =>
  (name) => {
    switch (name) {
      case 'model_id':
        return idsLike(account.models, /^[a-z]+_v\d{1,2}$/);
      case 'event_id':
        return idsLike(account.events, /^ue_[0-9a-f]{0,40}$/);
      case 'schedule_id':
        return idsLike(['sch_0123456789abcdef01234567'], /^sch_[0-9a-f]{0,40}$/);
      case 'version':
        return idsLike([account.datasetVersion], /^synthetic-\d{8}-\d$/);
      case 'key_id':
      case 'api_key_id':
        return idsLike([account.keyId], /^key_[0-9a-f]{0,40}$/);
      case 'end_user':
      case 'end_user_id':
      case 'X-End-User':
        return fc.oneof(fc.constantFrom(...account.endUsers), fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/));
      case 'document_id':
        return idsLike([account.document.id], /^[a-z_]{1,30}$/);
      case 'document_version':
        return fc.constant(account.document.version);
      case 'accepted':
        return fc.constant(true);
      case 'since':
      case 'until':
        return moments;
      case 'wait':
        return fc.constantFrom(0, 0, 1);
      case 'Last-Event-ID':
        return fc.oneof(fc.constantFrom('queued', 'running', 'succeeded', 'failed'), trimmedText);
      case 'Idempotency-Key':
        return trimmedText;
      default:
        return undefined;
    }
  };

const dateTimes = fc
  .date({ min: new Date('1960-01-01'), max: new Date('2200-12-31'), noInvalidDate: true })
  .map((moment) => moment.toISOString());

/** In each of the forms that the contract lets a client write a moment. */
const moments: fc.Arbitrary<string> = fc.oneof(
  dateTimes.map((text) => text.slice(0, 10)),
  dateTimes,
  dateTimes.map((text) => text.slice(0, -1)),
  fc
    .tuple(dateTimes, fc.constantFrom('+07:00', '-03:30', '+0000', ' 07:00', 'z'))
    .map(([text, offset]) => text.slice(0, 19) + offset),
  fc.integer({ min: 0, max: LAST_SECOND }).map(String),
  fc.integer({ min: 0, max: 1_800_000_000_999 }).map((ms) => (ms / 1_000).toFixed(3)),
);

/** Texts that look almost like a moment. */
export const noMoments = fc.oneof(
  fc.constantFrom('', 'today', 'now', 'null', '-1', '+5', '1e9', '1.', '.5', '0x10', 'NaN', '9'.repeat(13)),
  fc.constantFrom('2024-02-30', '2024-13-01', '2024-1-2', '2024/01/02', ' 2024-01-02', '2024-01-02 '),
  fc.constantFrom(...['', '24:00', '10:60', '10', '10:00:60'].map((time) => `2024-01-02T${time}`)),
  fc.constantFrom(...['+25:00', ' WIB', '.'].map((end) => `2024-01-02T10:00:00${end}`), '2024-W01-1'),
  fc.constantFrom('2024-01-02\0', '2024-01-0\u0662', '😀', '9'.repeat(5_000), "2024-01-02' OR 1=1"),
);

/** Texts that no list has given out as a cursor. */
export const noCursors = fc.oneof(
  fc.constantFrom('', 'x', '0', 'null', '😀', '\0', 'A'.repeat(5_000), 'AQ', '-_-_'),
  fc.base64String({ minLength: 32, maxLength: 120 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

/** What a key has that has run models for the end user `tester`; an acceptance of theirs is recorded besides. */
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
    models: catalogue.models.map((model) => model.id),
    datasetVersion: overview.dataset_version,
    document: { id, version },
  };
}

/** A run is recorded a little after its acceptance. */
function recordedEvents(rest: Rest): Promise<string[]> {
  const look = async () => {
    const { body } = await rest.get<{ events: { event_id: string }[] }>('/api/v1/usage/events');
    if (body.events.length < 2) throw new Error('the runs of the key under test are not recorded yet');
    return body.events.map(({ event_id }) => event_id);
  };
  return vi.waitFor(look, { timeout: 10_000, interval: 100 });
}
