import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, inject, onTestFinished, test } from 'vitest';
import { ownTenant } from '#support/fleets/contract.ts';
import { REPOSITORY } from '#support/repository.ts';
import { nodeEnvironment } from '#support/processes/node-environment.ts';

const run = promisify(execFile);
const tenant = ownTenant();
const HEY_API = path.join(import.meta.dirname, 'packages/node_modules/@hey-api/openapi-ts/bin/run.js');
const TSC = path.join(REPOSITORY, 'node_modules/typescript/bin/tsc');
const SETTINGS = {
  compilerOptions: {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    strict: true,
    noEmit: true,
    types: [],
  },
};
const CALLS = `
  import { getQuotes, listModels } from './generated';
  const [baseUrl, auth] = [process.env.SARING_URL!, process.env.SARING_KEY!];
  const { data, error } = await listModels({ baseUrl, auth });
  console.log(error, data?.models.map(({ id }) => id));
  // @ts-expect-error: tickers are a parameter of the query
  export const refused = () => getQuotes({ baseUrl, auth, body: ['BBCA'] });
  declare const process: { env: Record<string, string | undefined> };
`;

test('hey-api makes a client of the OpenAPI document that compiles and answers', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-generated-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = (name: string) => path.join(folder, name);
  const document = await fetch(new URL('/api/openapi.json', inject('baseUrl')));
  await writeFile(file('openapi.json'), await document.text());
  await run(process.execPath, [HEY_API, '-i', file('openapi.json'), '-o', file('generated')], {
    cwd: folder,
  });
  await writeFile(file('calls.ts'), CALLS);
  await writeFile(file('tsconfig.json'), JSON.stringify(SETTINGS));
  const compiled = await run(process.execPath, [TSC, '-p', folder]).catch(
    (failure: unknown) => failure as { stdout: string },
  );
  expect(compiled.stdout).toBe('');
  await build({ entryPoints: [file('calls.ts')], outfile: file('calls.mjs'), bundle: true, format: 'esm' });
  const env = { ...nodeEnvironment(), SARING_URL: inject('baseUrl'), SARING_KEY: tenant.key };
  const { stdout } = await run(process.execPath, [file('calls.mjs')], { env });
  expect(stdout).toMatch(/^undefined \[[^]*'model_f_combined'/);
});
