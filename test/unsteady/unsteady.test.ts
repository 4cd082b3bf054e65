import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { REPOSITORY } from '#support/repository.ts';
import { failsAtOnce } from './repeat.ts';

let clone: string;

/** A repository with the same `.ci/run` and reporters, whose tests are written by the tests below. */
beforeEach(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'unsteady-'));
  mkdirSync(path.join(clone, 'test'));
  cpSync(path.join(REPOSITORY, '.ci'), path.join(clone, '.ci'), { recursive: true });
  for (const shared of ['node_modules', 'test/unsteady', 'test/support'])
    symlinkSync(path.join(REPOSITORY, shared), path.join(clone, shared));
  write('package.json', '{ "type": "module" }');
  write(
    'Makefile',
    `.PHONY: test\ntest:\n\t@${process.execPath} node_modules/vitest/vitest.mjs run\ntest-others:\n`,
  );
  const reporters = ['test/unsteady/failed-files.ts', 'test/support/vitest/closing-line.ts'].map(
    (file) => `./${file}`,
  );
  write(
    'vitest.config.ts',
    `export default { test: { include: ['test/*.test.ts'], reporters: ${JSON.stringify(reporters)}, isolate: false, maxWorkers: 2 } };`,
  );
  write(
    'test/steady.test.ts',
    `import { existsSync, writeFileSync } from 'node:fs';
    import { expect, test } from 'vitest';
    test('runs while its neighbour does', () => {
      writeFileSync('steady', '');
      return expect.poll(() => existsSync('runs')).toBe(true);
    });`,
  );
});

afterEach(() => rmSync(clone, { recursive: true }));

test('a test that fails once among neighbours and then passes three times is reported at the end, and nothing is undone', () => {
  write('test/once.test.ts', failingWhile('times === 1'));
  const { status, output } = runCi();
  expect(output).toMatch(/3 of 3/);
  const end = output.slice(output.lastIndexOf('unsteady:'));
  expect(end).toContain('test/once.test.ts failed once and passed 3 times, seed 1, beside 1 files');
  expect(end).toContain('expected 1 to be +0');
  expect(end).toMatch(/\n2 passed, 0 failed\n$/);
  expect(output.match(/unsteady:/g)).toHaveLength(2);
  expect(status).toBe(0);
});

test('a test that fails again has failed', () => {
  write('test/twice.test.ts', failingWhile('times !== 2'));
  const { status, output } = runCi();
  expect(output).toContain('test/twice.test.ts failed again');
  expect(output).not.toContain('unsteady:');
  expect(output).toMatch(/\n1 passed, 1 failed\n$/);
  expect(status).toBe(1);
});

test('what fails before the tests has failed', () => {
  write('Makefile', '.PHONY: test\ntest:\n\t@false\ntest-others:\n');
  expect(runCi()).toMatchObject({
    status: 1,
    output: expect.stringMatching(/\n0 passed, 0 failed\n$/) as string,
  });
});

test.each([
  'test/faults/shared-layout.test.ts',
  'test/long/chaos.test.ts',
  'test/property/any-text.test.ts',
  'test/contract/openapi-fuzzing.test.ts',
  'libs/models/look-ahead.test.ts',
  'test/integration/servers/upgrade.test.ts',
  'libs/quant/performance/performance.test.ts',
])('%s is never repeated, because what it finds once is found', (file) => {
  expect(failsAtOnce(file)).toBe(true);
});

function write(file: string, text: string): void {
  writeFileSync(path.join(clone, file), text);
}

/** A test that counts how often it runs, in a file. */
function failingWhile(condition: string): string {
  return `import { appendFileSync, existsSync, statSync } from 'node:fs';
    import { expect, test } from 'vitest';
    test('is unsteady', async () => {
      await expect.poll(() => existsSync('steady')).toBe(true);
      appendFileSync('runs', '.');
      const times = statSync('runs').size;
      expect(Number(${condition})).toBe(0);
    });`;
}

function runCi(): { status: number | null; output: string } {
  const { FUZZ_SEED: _seed, ...env } = process.env;
  const { status, stdout } = spawnSync('bash', ['.ci/run'], { cwd: clone, env, encoding: 'utf8' });
  return { status, output: stdout };
}
