import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

export const PROJECT = path.resolve(import.meta.dirname, '../..');
export const BUILT = path.join(PROJECT, 'build');

/** Folders whose modules run in a fleet. */
const ROOMS = ['clients', 'deploy', 'gateway', 'libs', 'services'];

/** Another module by its location, which is then a program of its own, or what a module says of its own location. */
const LOCATION = /new URL\('([\w./-]+)\.ts', import\.meta\.url\)|import\.meta\.(?:url|dirname)/g;

/** The modules that others start by their location, as threads or processes. */
export async function startedByLocation(): Promise<Set<string>> {
  const programs = new Set<string>();
  for (const room of ROOMS)
    for await (const file of glob(`${room}/**/*.ts`, { cwd: PROJECT, exclude: ['**/*.test.ts'] })) {
      const source = await readFile(path.join(PROJECT, file), 'utf8');
      for (const [, program] of source.matchAll(LOCATION))
        if (program !== undefined) programs.add(path.join(path.dirname(file), `${program}.ts`));
    }
  return programs;
}

/** Modules find the files beside their sources, and the bundles of the programs that they start, although they run in `build/`. */
export const keepingLocations: Plugin = {
  name: 'locations of sources',
  setup(building) {
    building.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      if (file.includes('/node_modules/')) return undefined;
      const source = path.relative(PROJECT, file);
      const contents = (await readFile(file, 'utf8')).replaceAll(LOCATION, (found, program?: string) => {
        if (program !== undefined) return `new URL('./${path.basename(program)}.js', import.meta.url)`;
        return found === 'import.meta.url'
          ? `new URL('../${source}', import.meta.url).href`
          : `globalThis.process.getBuiltinModule('path').resolve(import.meta.dirname, '../${path.dirname(source)}')`;
      });
      return { contents, loader: 'ts' };
    });
  },
};
