import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { digestOfSources } from '#services/model-worker/cache/code-digest.ts';
import { BUILT } from './locations.ts';

const PROGRAMS = ['local.js', 'gateway.js', 'services.js', 'market-data.js', 'model-worker.js'];

/** The parts that a file loads, at once or later, and those that these load. */
async function partsOf(file: string, known = new Set<string>()): Promise<Set<string>> {
  const code = await readFile(path.join(BUILT, file), 'utf8');
  for (const [, part] of code.matchAll(/["']\.\/([\w.-]+-[A-Z0-9]{8}\.js)["']/g)) {
    if (known.has(part!)) continue;
    known.add(part!);
    await partsOf(part!, known);
  }
  return known;
}

test.for(PROGRAMS)('every part of %s loads, also those that it loads at their first use', async (program) => {
  const parts = [...(await partsOf(program))];
  expect(parts.length).toBeGreaterThan(10);
  const script = `
    const failed = [];
    for (const part of ${JSON.stringify(parts)})
      await import(${JSON.stringify(BUILT)} + '/' + part).catch((error) => failed.push(part + ': ' + error.message));
    console.log(JSON.stringify(failed));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(JSON.parse(stdout)).toEqual([]);
});

test.for(['markets', 'models'] as const)(
  'what a worker keeps of %s is named after the code in its bundle, also once sources have changed',
  async (part) => {
    const digest = await digestOfSources(part);
    const files = ['model-worker.js', ...(await partsOf('model-worker.js'))];
    const code = await Promise.all(files.map((file) => readFile(path.join(BUILT, file), 'utf8')));
    expect(code.filter((text) => text.includes(`${part}: "${digest}"`))).toHaveLength(1);
  },
);
