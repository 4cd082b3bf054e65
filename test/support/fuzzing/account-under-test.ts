import type { Rest } from '../rest.ts';
import type { AccountValues } from './account-values.ts';

const RECORDED_WITHIN_MS = 10_000;

/** What a key has that has run models for the end user `tester`; an acceptance of theirs is recorded besides. */
export async function accountUnderTest(rest: Rest, keyId: string): Promise<AccountValues> {
  const endUser = 'tester';
  const { body: catalogue } = await rest.get<{ models: { id: string }[] }>('/api/v1/models');
  const check = await rest.get<{ document_id: string; required_version: string }>('/api/v1/consent', {
    endUser,
  });
  const { document_id: id, required_version: version } = check.body;
  await rest.post('/api/v1/consent', { document_version: version }, { endUser });
  return {
    keyId,
    endUsers: [endUser],
    events: await recordedEvents(rest),
    models: catalogue.models.map((model) => model.id),
    document: { id, version },
  };
}

/** A run is recorded a little after its acceptance. */
async function recordedEvents(rest: Rest): Promise<string[]> {
  const giveUpAt = Date.now() + RECORDED_WITHIN_MS;
  for (;;) {
    const { body } = await rest.get<{ events: { event_id: string }[] }>('/api/v1/usage/events');
    if (body.events.length > 1) return body.events.map(({ event_id }) => event_id);
    if (Date.now() > giveUpAt) throw new Error('no run of the key under test was recorded');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
