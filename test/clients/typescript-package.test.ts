import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { documentOf } from '#support/declared-api/openapi-document.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { REPOSITORY } from '#support/repository.ts';
import { nodeEnvironment } from '#support/processes/node-environment.ts';
import { ownBrowser } from '../console/browser/chromium.ts';

const run = promisify(execFile);
const CLIENT = path.join(REPOSITORY, 'clients/typescript');
const CHECKS = path.join(import.meta.dirname, 'packages/node_modules');
const NEWEST_TSC = path.join(REPOSITORY, 'node_modules/typescript/bin/tsc');
const RELEASES = path.join(import.meta.dirname, 'releases');

const tenant = ownTenant();
const browser = ownBrowser();
const readme = (from = CLIENT) => readFile(path.join(from, 'README.md'), 'utf8');
const block = (text: string, language: string) =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text)![1]!;

/** What the examples read, on the Node that runs them. */
const environment = () => ({
  ...nodeEnvironment(),
  SARING_URL: inject('baseUrl'),
  SARING_KEY: tenant.key,
});

/** An empty project, into which npm installs the tarball as its page says. */
class Project {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async with(tarball: string): Promise<Project> {
    const folder = await mkdtemp(path.join(tmpdir(), 'saring-application-'));
    await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', '--offline', '--no-fund', '--no-audit', tarball], { cwd: folder });
    return new Project(folder);
  }

  get client(): string {
    return path.join(this.folder, 'node_modules/@saring/client');
  }

  /** Runs code in a file of the project. Returns what it prints. */
  async run(node: string, file: string, code: string): Promise<string> {
    await this.write(file, code);
    return (await run(node, [file], { cwd: this.folder, env: environment() })).stdout;
  }

  write(file: string, code: string): Promise<void> {
    return writeFile(path.join(this.folder, file), code);
  }

  /** What a compiler says of files of the project: nothing if they are right. */
  async compile(tsc: string, files: string[], options: object): Promise<string> {
    const settings = {
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom'],
      strict: true,
      noEmit: true,
      ...options,
    };
    await this.write('tsconfig.json', JSON.stringify({ compilerOptions: settings, files }));
    const compiled = await run(process.execPath, [tsc, '-p', '.'], { cwd: this.folder }).catch(
      (failure: unknown) => failure as { stdout: string },
    );
    return compiled.stdout;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

const NODES = {
  'Node 20': path.join(CHECKS, 'node-20/bin/node'),
  'Node 22': path.join(CHECKS, 'node-22/bin/node'),
  'Node 24': process.execPath,
};
const PICKS = /ticker: '[A-Z]{4}'/;

let tarball: string;
let project: Project;
beforeAll(async () => {
  const { stdout } = await run(process.execPath, [path.join(CLIENT, 'npm/build.ts')], { cwd: REPOSITORY });
  tarball = path.join(REPOSITORY, stdout.trim());
  project = await Project.with(tarball);
});
afterAll(() => project.remove());

describe('the package of the TypeScript client', () => {
  test('installs into an empty project without any other package', async () => {
    const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: project.folder });
    expect(stdout.trim().split('\n').slice(1)).toEqual([project.client]);
  });

  test('is built as npm and TypeScript expect it', async () => {
    const env = nodeEnvironment();
    const publint = path.join(CHECKS, 'publint/src/cli.js');
    const linted = await run(process.execPath, [publint, '--strict', path.join(CLIENT, 'dist')], { env });
    expect(linted.stdout).toContain('All good!');
    const attw = path.join(CHECKS, '@arethetypeswrong/cli/dist/index.js');
    await run(process.execPath, [attw, tarball, '--profile', 'esm-only'], { env });
  });

  test.each(Object.entries(NODES))(
    'has the picks of the day on %s in the four lines of its page',
    async (_, node) => {
      const code = block(await readme(), 'js');
      expect(code.trimEnd().split('\n')).toHaveLength(4);
      expect(await project.run(node, 'picks.mjs', code)).toMatch(PICKS);
    },
  );

  test('has an example that runs as its page shows it', async () => {
    const example = await readFile(path.join(CLIENT, 'example.ts'), 'utf8');
    const shown = example.replace('./index.ts', '@saring/client');
    expect(await readme()).toContain(`\`\`\`ts\n${shown}\`\`\`\n`);
    const printed = await project.run(process.execPath, 'example.ts', shown);
    expect(printed).toMatch(
      /^As of \d{4}-\d{2}-\d{2}, best first, .+:\n1\. \S+ \d+(\.\d)?%, usually \d+(\.\d)?%; score /,
    );
    expect(printed).toMatch(/^No such job; ask about req_/m);
  });

  test.each([
    ['TypeScript 5.7', path.join(CHECKS, 'typescript-5/bin/tsc')],
    ['the newest TypeScript', NEWEST_TSC],
  ])('compiles with %s, and a mistake in a call does not', async (_, tsc) => {
    await project.write(
      'typed.ts',
      `import { SaringClient } from '@saring/client';
       const saring = new SaringClient({ baseUrl: '', apiKey: '' });
       const { quotes } = await saring.data.quotes(['BBCA']);
       export const close: number | null | undefined = quotes['BBCA']?.close;
       // @ts-expect-error: a list is wanted
       await saring.data.quotes('BBCA');\n`,
    );
    expect(await project.compile(tsc, ['typed.ts'], { types: [] })).toBe('');
  });

  test('compiles every code sample of the API reference', async () => {
    const { paths } = await documentOf(inject('baseUrl'));
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const files: string[] = [];
    for (const { operationId, 'x-codeSamples': samples } of operations) {
      const { source } = samples.find(({ lang }) => lang === 'TypeScript')!;
      files.push(`sample-${operationId}.ts`);
      await project.write(files.at(-1)!, source);
    }
    expect(files.length).toBeGreaterThan(50);
    const ofNode = { types: ['node'], typeRoots: [path.join(REPOSITORY, 'node_modules/@types')] };
    expect(await project.compile(NEWEST_TSC, files, ofNode)).toBe('');
  });

  test('works in a browser', async () => {
    const { outputFiles } = await build({
      stdin: { contents: "export * from '@saring/client'", resolveDir: project.folder },
      bundle: true,
      format: 'iife',
      globalName: 'saring',
      platform: 'browser',
      write: false,
    });
    // The page is of the gateway's own origin, whose content policy would refuse an added script.
    const page = await browser.current.newPage({ bypassCSP: true, ignoreHTTPSErrors: true });
    await page.goto(new URL('/api/docs', inject('baseUrl')).href);
    await page.addScriptTag({ content: outputFiles[0]!.text });
    const code = `(async () => {
      const client = new saring.SaringClient({ baseUrl: location.origin, apiKey: '${tenant.key}', endUser: 'user-42' });
      return saring.resultOf(await client.runAndWait('model_f_combined', { view: 'compact' })).picks.length;
    })()`;
    expect(await page.evaluate<number>(code)).toBeGreaterThan(0);
    await page.close();
  });
});

test('the client of the first release works with this fleet', async () => {
  const old = await Project.with(path.join(RELEASES, 'saring-client-0.1.0.tgz'));
  try {
    const page = await readme(old.client);
    expect(await old.run(process.execPath, 'picks.mjs', block(page, 'js'))).toMatch(PICKS);
    expect(await old.run(process.execPath, 'example.ts', block(page, 'ts'))).toMatch(
      /^No such job; ask about req_/m,
    );
  } finally {
    await old.remove();
  }
});
