import { randomUUID } from 'node:crypto';
import type { Activity, Actor } from '../actor.ts';
import type { Reply } from '../load-client.ts';

interface ConsentRecord {
  consent_id: string;
}

export const checkConsent: Activity = async ({ client, app, endUser }) => {
  const requested = { path: '/api/v1/consent', app, endUser, expected: ['200'] };
  await client.ask({ kind: 'consent, checked', ...requested, unavailable: 'consent_unavailable' });
};

/** Admits an end user as an application does: checks, shows the text, records, and repeats the request to be sure. */
export const recordConsent: Activity = async (actor) => {
  await checkConsent(actor);
  const { client, app, random, accepted } = actor;
  const path = '/api/v1/consent/documents/fair_disclaimer?locale=id';
  await client.ask({
    kind: 'consent, text',
    path,
    app,
    expected: ['200'],
    unavailable: 'consent_unavailable',
  });
  const key = random.chance(0.5) ? randomUUID() : undefined;
  const reply = await record(actor, key);
  if (reply.status !== 201 || key === undefined) return;
  const again = await record(actor, key);
  if (again.status !== 201) return;
  accepted.repetitions++;
  if (again.body.consent_id === reply.body.consent_id) return;
  client.tally.breach('a repetition recorded an acceptance of its own', reply.body.consent_id);
};

export async function record(actor: Actor, key: string | undefined): Promise<Reply<ConsentRecord>> {
  const { client, app, endUser, market, accepted } = actor;
  const reply = await client.ask<ConsentRecord>({
    kind: 'consent, recorded',
    method: 'POST',
    path: '/api/v1/consent',
    app,
    endUser,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    body: { document_version: market.requiredConsent, locale: 'id', client_version: 'load' },
    expected: ['201'],
    unavailable: 'consent_write_failed',
  });
  if (reply.status === 201) accepted.consents.set(reply.body.consent_id, app);
  return reply;
}
