import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startFailures } from './process-checks.ts';

const FAILED = 'saring keys cannot start: the schema is newer';
const STOPPING = '{"level":"info","msg":"stopping"}';
const READY = '{"level":"info","service":"keys","msg":"ready"}';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'saring-doctor-'));
  await mkdir(path.join(dir, 'logs'));
});
afterEach(() => rm(dir, { recursive: true }));

/** What the check finds about `keys` in a fleet that is stopped. */
async function foundAfter(...lines: string[]): Promise<string[]> {
  await writeFile(path.join(dir, 'logs/keys.log'), `${lines.join('\n')}\n`);
  const state = { dir, running: undefined, ports: {}, secrets: {} };
  const patient = { state, processes: [], stores: undefined, services: undefined };
  return (await startFailures.find(patient)).map(({ what }) => what);
}

describe('the check for failed starts', () => {
  test('gives the reason in the log', async () => {
    expect(await foundAfter(READY, STOPPING, FAILED, STOPPING)).toEqual([
      'keys cannot start: the schema is newer',
    ]);
  });

  test('gives all lines of the reason, and nothing of what follows', async () => {
    const lines = [`${FAILED}:`, '  001_api_key is missing', '  002_scopes is missing'];
    expect(await foundAfter(READY, ...lines, STOPPING, '{"level":"info","msg":"later"}')).toEqual([
      'keys cannot start: the schema is newer:\n  001_api_key is missing\n  002_scopes is missing',
    ]);
  });

  test('finds nothing once a later start has succeeded', async () => {
    expect(await foundAfter(FAILED, STOPPING, READY, STOPPING)).toEqual([]);
  });
});
