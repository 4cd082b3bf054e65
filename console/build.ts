import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const SOURCES = import.meta.dirname;
const BUILT = path.join(SOURCES, 'gen');

/**
 * Bundles the console into `gen/`: the page, and its files under names that contain a hash of their content, each
 * also in compressed form. Readers of the folder see either the old build or the new one.
 */
export async function buildConsole(): Promise<void> {
  const unfinished = `${BUILT}.${process.pid}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const assets = path.join(unfinished, 'assets');
  const { metafile } = await build({
    entryPoints: [path.join(SOURCES, 'main.tsx'), path.join(SOURCES, 'style/index.css')],
    outdir: assets,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: ['es2022', 'chrome111', 'firefox114', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfig: path.join(SOURCES, 'tsconfig.json'),
    absWorkingDir: SOURCES,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const built = (entry: string) => {
    const [file] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry)!;
    return path.basename(file);
  };
  const template = readFileSync(path.join(SOURCES, 'index.html'), 'utf8');
  mkdirSync(assets, { recursive: true });
  writeFileSync(path.join(assets, 'icon.svg'), readFileSync(path.join(SOURCES, 'icon.svg')));
  writeFileSync(
    path.join(unfinished, 'index.html'),
    template.replace('{script}', built('main.tsx')).replace('{style}', built('style/index.css')),
  );
  for (const folder of [unfinished, assets]) compressFiles(folder);
  rmSync(BUILT, { recursive: true, force: true });
  renameSync(unfinished, BUILT);
}

function compressFiles(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(folder, entry.name);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

if (import.meta.main) await buildConsole();
