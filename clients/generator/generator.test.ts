import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { routes } from '#gateway/routes/index.ts';
import { allCalls } from './calls.ts';
import { callsModule, synchronous } from './python-calls.ts';
import { pythonTypes } from './python-types.ts';

const ASYNCHRONOUS = path.join(import.meta.dirname, '../python/src/saring/asynchronous');
let modules: string[];
beforeAll(async () => {
  const names = await readdir(ASYNCHRONOUS, { recursive: true });
  const files = names.filter((name) => name.endsWith('.py')).map((name) => path.join(ASYNCHRONOUS, name));
  modules = [callsModule(), ...(await Promise.all(files.map((file) => readFile(file, 'utf8'))))];
});

const declared = (text: string) =>
  new Set([...text.matchAll(/^(?:class )?(\w+)(?=\(|:| = )/gm)].map(([, name]) => name!));
const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);

test('every POST says whether it may be repeated: by its key exactly if it takes one', () => {
  const reasons = routes.map(({ method, takesIdempotencyKey, repeatable, path: endpoint }) => ({
    ...{ endpoint, isKeyed: repeatable === 'by its key', isTold: repeatable !== undefined },
    ...{ takesKey: takesIdempotencyKey === true, isPost: method === 'post' },
  }));
  expect(reasons.filter(({ isTold, isPost }) => isTold !== isPost)).toEqual([]);
  expect(reasons.filter(({ isKeyed, takesKey }) => isKeyed !== takesKey)).toEqual([]);
});

test('a method that returned the list of an answer returns no more when the answer has more to tell', () => {
  const members = allCalls()
    .filter(({ member, isPaged }) => member !== undefined && !isPaged)
    .map(({ route, member }) => `${route.client}: ${member}`);
  expect(members.toSorted()).toEqual([
    'admin.endUsers: end_users',
    'admin.keys: keys',
    'backfills.list: backfills',
    'jobs.list: jobs',
    'models.features: features',
    'models.list: models',
    'models.params: params',
    'operator.feedSources: sources',
    'operator.fetches: fetches',
    'operator.firings: firings',
    'operator.keyActions: actions',
    'operator.keys: api_keys',
    'operator.processes: processes',
    'operator.rejectedRows: rows',
    'operator.schedules: schedules',
    'operator.servedDatasets: served',
    'operator.usageByKey: keys',
    'scopes: scopes',
    'screens.fields: fields',
    'screens.ofStock: screens',
    'usage.endUsers: end_users',
  ]);
});

test('every type that the Python client names is generated', () => {
  const known = declared(pythonTypes());
  const unknown = modules
    .flatMap((module) => named(module, /\b(?:types|api)\.([A-Z]\w+)/g))
    .filter((name) => !known.has(name));
  expect(unknown).toEqual([]);
});

test('generated types are declared once, and refer to nothing that is not declared', () => {
  const text = pythonTypes();
  const names = named(text, /^(?:class )?([A-Z]\w+)(?=\(|:| = )/gm);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  const code = text.replaceAll(/"""[^]*?"""/g, '').replaceAll(/Literal\[[^\]]*\]/g, '');
  const python = ['Any', 'Literal', 'NotRequired', 'None', 'TypeAlias', 'TypedDict'];
  const annotations = named(code, /^\s+"?[\w %/]+"?: (.+)$/gm).flatMap(
    (annotation) => annotation.match(/\b[A-Z]\w+/g) ?? [],
  );
  expect(annotations.filter((name) => !names.includes(name) && !python.includes(name))).toEqual([]);
  expect(annotations.length).toBeGreaterThan(100);
});

test('nothing of asyncio is left in the client that waits', () => {
  for (const module of modules) {
    const waiting = synchronous(module, 'module.py').replaceAll(/"""[^]*?"""/g, '');
    expect(waiting).not.toMatch(
      /\basync\b|\bawait\b|\basyncio\b|Async[A-Z]|\ba(iter|next|close|closing)\b|Awaitable/,
    );
  }
});
