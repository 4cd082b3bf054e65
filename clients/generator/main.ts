/**
 * Writes what the clients have from the declared routes, so no server is needed. One argument says what:
 * - `calls`: the methods of the TypeScript client that are one call each;
 * - `types`: the types of its inputs and answers, which nothing needs at run time;
 * - `python`: both of the Python client, the client that waits, which is the asynchronous one without its `await`, and the cases of
 *   its calls.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repeatablePosts } from './calls.ts';
import { DOCUMENT } from './document.ts';

const CLIENTS = path.dirname(import.meta.dirname);
const TYPESCRIPT = path.join(CLIENTS, 'typescript/gen');
const PACKAGE = path.join(CLIENTS, 'python/src/saring');
const PYTHON = path.join(PACKAGE, 'gen');

async function write(folder: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The file that each writes last is the one whose age make compares. */
const WRITERS: Record<string, () => Promise<void>> = {
  async calls() {
    const [{ format }, { callsModule }] = await Promise.all([
      import('oxfmt'),
      import('./typescript-calls.ts'),
    ]);
    const formatted = async (name: string, text: string) => {
      const { code, errors } = await format(name, text, { printWidth: 110, singleQuote: true });
      if (errors.length > 0) throw new Error(`${name}: ${errors[0]!.message}`);
      return `// Generated from the routes of the gateway.\n${code}`;
    };
    const posts = `/** Why a POST may be repeated. One that is not listed could do twice what its caller wants once. */
export const REPEATABLE_POSTS: Partial<Record<string, 'by its key' | 'by nature'>> = ${JSON.stringify(repeatablePosts())};`;
    await write(TYPESCRIPT, 'repeatable-posts.ts', await formatted('repeatable-posts.ts', posts));
    await write(TYPESCRIPT, 'calls.ts', await formatted('calls.ts', callsModule()));
  },

  async types() {
    const { default: openapiTS, astToString } = await import('openapi-typescript');
    const types = await openapiTS(DOCUMENT as never, {
      // A field with a default may be left out of a request.
      defaultNonNullable: false,
      emptyObjectsUnknown: true,
    });
    const text = `// Generated from the OpenAPI document of the gateway.\n\n${astToString(types)}`;
    await write(TYPESCRIPT, 'api.ts', text);
  },

  async python() {
    const { callsModule, synchronous } = await import('./python-calls.ts');
    const { pythonTypes } = await import('./python-types.ts');
    const { endpointCases } = await import('./endpoint-cases.ts');
    await rm(PYTHON, { recursive: true, force: true });
    await write(PYTHON, 'types.py', pythonTypes());
    const posts = Object.entries(repeatablePosts()).map(
      (post) => `    ${post.map((word) => JSON.stringify(word)).join(': ')},\n`,
    );
    const head = '# Generated from the routes of the gateway.\n';
    await write(PYTHON, 'repeatable_posts.py', `${head}REPEATABLE_POSTS = {\n${posts.join('')}}\n`);
    const calls = callsModule();
    await write(PYTHON, 'asynchronous/__init__.py', '');
    await write(PYTHON, 'asynchronous/calls.py', calls);
    await write(PYTHON, 'synchronous/calls.py', synchronous(calls, 'gen/asynchronous/calls.py'));
    const folder = path.join(PACKAGE, 'asynchronous');
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith('.py')) continue;
      const module = await readFile(path.join(folder, name), 'utf8');
      await write(PYTHON, path.join('synchronous', name), synchronous(module, `asynchronous/${name}`));
    }
    const cases = endpointCases().map((one) => JSON.stringify(one));
    await write(CLIENTS, 'cases/endpoints.json', `[\n${cases.join(',\n')}\n]\n`);
    await write(PYTHON, '__init__.py', '');
  },
};

const writer = WRITERS[process.argv[2] ?? ''];
if (!writer) throw new Error(`Say what to write: ${Object.keys(WRITERS).join(', ')}.`);
await writer();
