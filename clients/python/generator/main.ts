/**
 * Writes what follows from elsewhere into a folder of the Python package: the types of the API, the POST requests that may be
 * repeated, and the client that waits, which is the asynchronous one without its `await`.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { REPEATABLE } from '#client/repeatable-posts.ts';
import { openApiDocument } from '#gateway/openapi/openapi.ts';
import { routes } from '#gateway/routes/index.ts';
import { pythonTypes, type Document } from './python-types.ts';
import { synchronous } from './synchronous.ts';

const source = path.join(import.meta.dirname, '../src/saring');
const generated = path.join(source, 'gen');

async function write(name: string, text: string): Promise<void> {
  const file = path.join(generated, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

const repeatable = Object.entries(REPEATABLE)
  .filter(([, reason]) => reason !== 'never')
  .map(([template, reason]) => `    ${JSON.stringify(template)}: ${JSON.stringify(reason)},\n`);

await rm(generated, { recursive: true, force: true });
await write('types.py', pythonTypes(openApiDocument(routes) as unknown as Document));
await write(
  'repeatable_posts.py',
  `# Generated from clients/typescript/repeatable-posts.ts.\nREPEATABLE_POSTS = {\n${repeatable.join('')}}\n`,
);
const folder = path.join(source, 'asynchronous');
for (const name of await readdir(folder, { recursive: true })) {
  if (!name.endsWith('.py')) continue;
  await write(
    path.join('synchronous', name),
    synchronous(await readFile(path.join(folder, name), 'utf8'), name),
  );
}
// Last, since its age is what make compares.
await write('__init__.py', '');
