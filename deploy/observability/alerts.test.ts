import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findOnPath } from '#local/processes/find-on-path.ts';
import { alertNames } from './queries.ts';
import { needing } from '#support/needing.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const hasPromtool = findOnPath('promtool') !== undefined;

test(
  'promtool accepts the rules and fires every alert once',
  needing("Debian's prometheus (promtool)", hasPromtool),
  () => {
    const promtool = (...args: string[]) => execFileSync('promtool', args, { cwd: folder, encoding: 'utf8' });
    expect(promtool('check', 'rules', 'alerts.yaml')).toContain('SUCCESS');
    expect(promtool('test', 'rules', 'alerts.test.yaml')).toContain('SUCCESS');
  },
);

test('every alert has a test that fires it and a section in the runbook', () => {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const tests = readFileSync(new URL('alerts.test.yaml', import.meta.url), 'utf8');
  expect(alertNames().length).toBeGreaterThan(5);
  for (const name of alertNames()) {
    expect(runbook).toContain(`### ${name}\n`);
    expect(tests).toContain(`name: ${name} fires`);
  }
});
