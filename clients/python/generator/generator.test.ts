import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '#gateway/openapi/openapi.ts';
import { routes } from '#gateway/routes/index.ts';
import { pythonTypes, type Document } from './python-types.ts';
import { synchronous } from './synchronous.ts';

const ASYNCHRONOUS = path.join(import.meta.dirname, '../src/saring/asynchronous');
let modules: string[];
beforeAll(async () => {
  const names = await readdir(ASYNCHRONOUS, { recursive: true });
  const files = names.filter((name) => name.endsWith('.py')).map((name) => path.join(ASYNCHRONOUS, name));
  modules = await Promise.all(files.map((file) => readFile(file, 'utf8')));
});

const types = () => pythonTypes(openApiDocument(routes) as unknown as Document);
const declared = (text: string) =>
  new Set([...text.matchAll(/^(?:class )?(\w+)(?=\(|:| = )/gm)].map(([, name]) => name!));
const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);

test('every endpoint has a method of the Python client', () => {
  const missing = routes
    .map(({ path: endpoint }) => endpoint)
    .filter((endpoint) => !modules.join().includes(`"${endpoint}"`));
  expect(missing).toEqual([]);
});

test('every type that the Python client names is generated', () => {
  const known = declared(types());
  const unknown = modules
    .flatMap((module) => named(module, /\b(?:types|api)\.([A-Z]\w+)/g))
    .filter((name) => !known.has(name));
  expect(unknown).toEqual([]);
});

test('generated types are declared once, and refer to nothing that is not declared', () => {
  const text = types();
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
