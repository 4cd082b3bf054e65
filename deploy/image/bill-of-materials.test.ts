import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/**
 * Build tools that must not be listed. Not all build packages, because the types of some are dependencies of other packages.
 */
const TOOLS = ['oxlint', 'oxfmt', 'typescript', 'vitest', 'esbuild', 'playwright-core'];
const ROOT = path.resolve(import.meta.dirname, '../..');

interface Component {
  name: string;
  version: string;
  hashes?: { alg: string }[];
}

test('the bill of materials is CycloneDX and lists every runtime package with its version but no build tools', () => {
  const program = path.join(import.meta.dirname, 'bill-of-materials.ts');
  const bill = JSON.parse(
    execFileSync(process.execPath, [program], { encoding: 'utf8', maxBuffer: 64 * 1_048_576 }),
  ) as { bomFormat: string; specVersion: string; components: Component[] };
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: expect.stringMatching(/^1\.\d$/) as string,
  });
  const names = new Set(bill.components.map(({ name }) => name));
  // A package can appear in several versions when others need different ones.
  const versions = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const run = Object.entries(dependencies).filter(([name]) =>
    existsSync(path.join(ROOT, 'node_modules', name)),
  );
  expect(run.map((entry) => entry.join('@')).filter((name) => !versions.has(name))).toEqual([]);
  const bundled = importedByConsole();
  expect(bundled.length).toBeGreaterThan(2);
  expect(bundled.filter((name) => !names.has(name))).toEqual([]);
  expect(TOOLS.filter((name) => names.has(name))).toEqual([]);
  expect(bill.components.every(({ hashes }) => hashes?.some(({ alg }) => alg === 'SHA-512'))).toBe(true);
});

/** Packages whose code is bundled into the console. */
function importedByConsole(): string[] {
  const found = new Set<string>();
  for (const file of globSync('console/**/*.{ts,tsx}', { cwd: ROOT })) {
    if (/(\.test\.ts|build\.ts)$/.test(file) || file.includes('/gen/')) continue;
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    for (const [, name] of text.matchAll(/(?:from|import\()\s*'((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/g))
      found.add(name!);
  }
  return [...found];
}
