import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { documentOf } from '#support/declared-api/openapi-document.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { REPOSITORY } from '#support/repository.ts';
import { needing } from '#support/needing.ts';
import { pythonWith } from '#support/python-with.ts';

const run = promisify(execFile);
const CLIENT = path.join(REPOSITORY, 'clients/python');
/** `make test-clients` installs them where it may (`python-packages.sh`). tomllib came with Python 3.11. */
const MODULES = 'httpx, setuptools, wheel, tomllib';
const python = pythonWith(MODULES);
const PACKAGES = "Python 3.11 with Debian's python3-httpx, python3-setuptools and python3-wheel";
const readme = await readFile(path.join(CLIENT, 'README.md'), 'utf8');
const [picks, more, asynchronous, table] = [...readme.matchAll(/^```python\n([^]*?)^```$/gm)].map(
  ([, code]) => code!,
) as [string, string, string, string];

const tenant = ownTenant();

/** A folder with the content of the wheel, which no Python has among its own packages. */
class Application {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  get installed(): string {
    return path.join(this.folder, 'installed');
  }

  /** Runs code in a file of the application. Returns what it prints. */
  async run(file: string, code: string): Promise<string> {
    await writeFile(path.join(this.folder, file), code);
    return this.python([file]);
  }

  async python(args: string[]): Promise<string> {
    const env = {
      PATH: process.env['PATH'],
      PYTHONPATH: this.installed,
      PYTHONDONTWRITEBYTECODE: '1',
      MYPYPATH: this.installed,
      SARING_URL: inject('baseUrl'),
      SARING_KEY: tenant.key,
    };
    return (await run(python!, args, { cwd: this.folder, env })).stdout;
  }
}

let application: Application;

describe('the package of the Python client', needing(PACKAGES, python !== undefined), () => {
  beforeAll(async () => {
    const { stdout: wheel } = await run(python!, [path.join(CLIENT, 'build.py')]);
    application = new Application(await mkdtemp(path.join(tmpdir(), 'saring-application-')));
    await run(python!, ['-m', 'zipfile', '-e', wheel.trim(), application.installed]);
  });
  afterAll(() => rm(application.folder, { recursive: true }));

  test.for([
    ['wheel', 'lacks wheel', 'apt-get install python3-wheel'],
    ['setuptools', 'lacks setuptools and wheel', 'apt-get install python3-setuptools python3-wheel'],
  ] as const)('a Python without %s is told what to install', async ([without, lacking, cure]) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'saring-no-wheel-'));
    // Loaded by Python before any other module: it hides what the names in it would find.
    const hidden = JSON.stringify(['setuptools.command.bdist_wheel', without]);
    const hiding = `import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name in ${hidden} else found(name)
`;
    await writeFile(path.join(folder, 'sitecustomize.py'), hiding);
    const built = run(python!, [path.join(CLIENT, 'build.py')], {
      env: { ...process.env, PYTHONPATH: folder },
    });
    const { stderr } = await built.then(
      () => ({ stderr: '' }),
      (error: { stderr: string }) => error,
    );
    expect(stderr).toContain(lacking);
    expect(stderr).toContain(cure);
    await rm(folder, { recursive: true });
  });

  test('has the picks of the day in the four lines of its page', async () => {
    expect(picks.trimEnd().split('\n')).toHaveLength(4);
    expect(await application.run('picks.py', picks)).toMatch(/'ticker': '[A-Z]{4}'/);
  });

  test('has examples that run as its page shows them', async () => {
    const printed = await application.run('more.py', more);
    expect(printed).toMatch(
      /^As of \d{4}-\d{2}-\d{2}, best first, .+:\n1\. \S+ \d+(\.\d)?%, usually \d+(\.\d)?%; score /,
    );
    expect(printed).toMatch(/^The last run that succeeded: model_f_combined at /m);
    expect(printed).toMatch(/^No such job; ask about req_/m);
    expect(await application.run('asynchronous.py', asynchronous)).toMatch(/^ok \['[A-Z]{4}'[^]*\n[A-Z]{4} /);
  });

  test(
    'makes tables as its page shows it',
    needing("Debian's python3-pandas", pythonWith(`${MODULES}, pandas`) !== undefined),
    async () => {
      expect(await application.run('table.py', table)).toMatch(/^ +ticker .* values\.close$[^]*^ +date .* /m);
    },
  );

  test('does what all clients do, and keeps its time limits', async () => {
    const tests = path.join(CLIENT, 'tests');
    await application.python(['-W', 'error', '-m', 'unittest', 'discover', '-s', tests]);
  });

  test('runs the code samples of the API reference that read and name nothing of a key', async () => {
    const { paths } = await documentOf(inject('baseUrl'));
    const samples = Object.values(paths).flatMap((methods) =>
      Object.entries(methods).map(([method, { operationId, 'x-codeSamples': codes }]) => ({
        ...{ method, operationId },
        source: codes.find(({ lang }) => lang === 'Python')!.source,
      })),
    );
    const isOfEverybody = ({ method, source }: (typeof samples)[number]) =>
      method === 'get' &&
      !/_5f0c6f1e|ue_0a1b|user-42|OPERATOR_TOKEN|admin|BBCA|real-20240628|\/AK|events/.test(source);
    const run = samples.filter(isOfEverybody);
    expect(run.length).toBeGreaterThan(10);
    const file = ({ operationId }: (typeof samples)[number]) => `sample_${operationId}.py`;
    for (const sample of samples) await writeFile(path.join(application.folder, file(sample)), sample.source);
    await application.python(['-m', 'py_compile', ...samples.map(file)]);
    for (const sample of run)
      expect(await application.python([file(sample)]), sample.operationId).not.toBe('');
  });

  test(
    'is typed, and a mistake in a call is found',
    needing("Debian's mypy", pythonWith(`${MODULES}, mypy`) !== undefined),
    async () => {
      const code = `import saring
client = saring.Saring(base_url="", api_key="")
close: float | None = client.data.quotes(["BBCA"])["quotes"]["BBCA"]["close"]
client.data.flows(flow_type="nobody")  # type: ignore[arg-type]
client.data.flows(day=5)  # type: ignore[call-arg]
`;
      await writeFile(path.join(application.folder, 'typed.py'), code);
      const config = `--config-file=${path.join(CLIENT, 'pyproject.toml')}`;
      const checked = [config, path.join(application.installed, 'saring'), 'typed.py'];
      await application.python(['-m', 'mypy', ...checked]).catch((failure: { stdout: string }) => {
        throw new Error(failure.stdout);
      });
    },
  );
});
