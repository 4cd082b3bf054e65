import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

interface Notebook {
  cells: {
    cell_type: string;
    metadata: object;
    source: string[];
    outputs?: unknown[];
    execution_count?: number | null;
  }[];
  metadata: object;
}

const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.ipynb'));

describe.each(names)('%s', async (name) => {
  const text = await readFile(path.join(import.meta.dirname, name), 'utf8');
  const { cells, metadata } = JSON.parse(text) as Notebook;
  const code = cells.filter(({ cell_type }) => cell_type === 'code');
  const written = cells.map(({ source }) => source.join('')).join('\n');

  // What a run leaves would show somebody's users, and differ with each run.
  test('is committed without outputs and counts', () => {
    expect(code.flatMap(({ outputs }) => outputs)).toEqual([]);
    expect(code.filter(({ execution_count }) => execution_count !== null)).toEqual([]);
  });

  test('names nothing of the machine on which it was written', () => {
    expect(cells.filter((cell) => Object.keys(cell.metadata).length > 0)).toEqual([]);
    expect(metadata).toEqual({
      kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
      language_info: { name: 'python' },
    });
    expect(written).not.toMatch(/\/(home|root|tmp|Users)\/|sar_\w/);
  });

  test('says at its top what it answers and needs, and labels a generated market', () => {
    expect(cells[0]).toMatchObject({ cell_type: 'markdown' });
    const top = cells[0]!.source.join('');
    expect(top).toMatch(/^# .+\n\nThis notebook answers/);
    expect(top).toMatch(/`SARING_URL` and `SARING_KEY`[^]*The key needs/);
    expect(written).toContain('SYNTHETIC market');
  });
});

test('the page of the client lists every notebook', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../README.md'), 'utf8');
  expect(names.filter((name) => !page.includes(`(notebooks/${name})`))).toEqual([]);
  expect(names).not.toEqual([]);
});
