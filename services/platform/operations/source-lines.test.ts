import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { inSources } from './source-lines.ts';

test('a stack of bundled code names the places in the sources', async () => {
  const project = await mkdtemp(path.join(tmpdir(), 'saring-'));
  const source = path.join(project, 'source.ts');
  await writeFile(
    source,
    'interface Unused { a: 1 }\n\nexport function fails(): void {\n  throw new Error("no");\n}\n',
  );
  const bundle = path.join(project, 'build', 'bundle.js');
  await build({ entryPoints: [source], outfile: bundle, bundle: true, format: 'esm', sourcemap: 'external' });
  const { fails } = (await import(bundle)) as { fails: () => void };
  const stack = stackOf(fails);
  expect(stack).toContain(`${bundle}:3:9`);
  expect(inSources(stack)).toContain(`at fails (${source}:4:9)`);
  await rm(project, { recursive: true });
});

test('a stack of code that is not bundled, or whose map is gone, stays as it is', () => {
  const stack =
    'Error: no\n    at f (file:///app/services/keys/main.ts:1:2)\n    at g (/app/build/gone.js:3:4)';
  expect(inSources(stack)).toBe(stack);
});

function stackOf(fails: () => void): string {
  try {
    fails();
  } catch (error) {
    return (error as Error).stack!;
  }
  throw new Error('it did not fail');
}
