import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY } from '#support/fleet.ts';
import { settingsTable } from '#support/settings-table.ts';

test('the README lists every setting of every service as it is declared', async () => {
  const readme = await readFile(path.join(REPOSITORY, 'README.md'), 'utf8');
  expect(readme).toContain(settingsTable());
});
