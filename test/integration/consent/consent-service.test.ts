import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { createGrpcClient } from '#platform/grpc/client.ts';
import { ownServers } from '#support/servers/servers.ts';
import { identityOf, NO_TLS, startService, type ServiceProcess } from '#support/processes/service-process.ts';

const servers = ownServers();
const call = { requestId: 'req_test' };
const gate = { api_key_id: 'key_a', end_user: 'alice', document_id: 'fair_disclaimer' };
const WORDS = '# Syarat\n\nSatu.\n\nDua.\n';
let folder: string;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'saring-documents-'));
  await mkdir(path.join(folder, 'fair_disclaimer'));
});
afterEach(async () => {
  await service?.kill();
  service = undefined;
});
afterAll(() => rm(folder, { recursive: true }));

/** Restarts the service with this text as the operator's own document. */
async function startReading(text: string) {
  await service?.kill();
  await writeFile(path.join(folder, 'fair_disclaimer/id.md'), text);
  service = await startService('consent', { DATABASE_URL: servers.databaseUrl, CONSENT_DOCUMENTS: folder });
  const { address } = service;
  const options = {
    ...({ address, unavailableCode: 'consent_unavailable', timeoutMs: 5_000, tls: NO_TLS } as const),
    identity: identityOf('gateway'),
  };
  return createGrpcClient(ConsentServiceService, options);
}

test('a change of the text invalidates earlier acceptances, a change of line endings does not', async () => {
  const first = await startReading(WORDS);
  const { required_version } = await first.checkConsent(gate, call);
  const unsaid = { locale: undefined, client_version: undefined, idempotency_key: undefined };
  const acceptance = { ...gate, ...unsaid, document_version: required_version, accepted: true };
  await first.recordConsent(acceptance, call);
  expect(await first.checkConsent(gate, call)).toMatchObject({ accepted: true });
  first.close();

  const sameWords = await startReading(WORDS.replaceAll('\n', '\r\n'));
  expect(await sameWords.checkConsent(gate, call)).toMatchObject({ accepted: true, required_version });
  sameWords.close();

  const changed = await startReading(WORDS.replace('Dua', 'Tiga'));
  const standing = await changed.checkConsent(gate, call);
  expect(standing).toMatchObject({ accepted: false, accepted_version: required_version });
  expect(standing.required_version).not.toBe(required_version);
  await expect(changed.recordConsent(acceptance, call)).rejects.toMatchObject({
    code: 'stale_document_version',
  });
  expect(await changed.getDocument({ document_id: 'fair_disclaimer', locale: undefined }, call)).toEqual({
    document_id: 'fair_disclaimer',
    version: standing.required_version,
    locale: 'id',
    locales: ['id'],
    title: 'Syarat',
    text: 'Satu.\n\nTiga.',
  });
  changed.close();
});

test('an invalid document ends the start with one sentence that names it', async () => {
  const start = startReading('Tanpa judul.');
  await expect(start).rejects.toThrow(
    /saring consent cannot start: \S+fair_disclaimer\/id\.md: must begin with its title/,
  );
  await expect(start).rejects.not.toThrow(/\n\s+at /);
});
