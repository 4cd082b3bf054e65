/**
 * Builds the npm package of the client in `clients/typescript/dist` and packs it there as a tarball: one module without
 * dependencies for Node and browsers, and its types. Prints the path of the tarball.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const run = promisify(execFile);
const here = import.meta.dirname;
const client = path.dirname(here);
const repository = path.join(client, '../..');
const dist = path.join(client, 'dist');

/** Packages that become part of the module. Their licences ask to be named beside it. */
const BUNDLED = ['openapi-fetch', 'eventsource-parser'];

await rm(dist, { recursive: true, force: true });
await mkdir(path.join(dist, 'licenses'), { recursive: true });
await build({
  entryPoints: [path.join(client, 'index.ts')],
  outfile: path.join(dist, 'index.js'),
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  // The name of an error's class is what a log shows.
  keepNames: true,
});
await run(process.execPath, [path.join(repository, 'node_modules/typescript/bin/tsc'), '-p', here]);
for (const name of BUNDLED)
  await copyFile(path.join(repository, 'node_modules', name, 'LICENSE'), path.join(dist, 'licenses', name));
await copyFile(path.join(here, 'package.json'), path.join(dist, 'package.json'));
for (const name of ['README.md', 'CHANGELOG.md'])
  await copyFile(path.join(client, name), path.join(dist, name));
const { stdout } = await run('npm', ['pack', '--silent'], { cwd: dist });
console.log(path.relative(process.cwd(), path.join(dist, stdout.trim())));
