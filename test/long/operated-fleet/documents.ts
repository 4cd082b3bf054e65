import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { nodeEnvironment } from '#support/processes/node-environment.ts';
import { codeBlocks, type CodeBlock } from '#support/documents/code-blocks.ts';
import { REPOSITORY } from '#support/repository.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { Rest } from '#support/rest/rest.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { brokerFile, tradeBetween } from '#support/markets/broker-rows.ts';
import { idxDayFile, idxFile, tarGzOf, weekdays } from '#support/markets/idx-archive.ts';
import { own } from './fleet.ts';

/** Blocks that cannot run on one machine beside other tests, by the start of their title, and why. */
const NOT_RUN: Record<string, string> = {
  'make run ':
    'starts a fleet of its own and runs every test; the fleet of this test starts as make run does',
  'make run DATASET=': 'needs a real market; test/integration/datasets imports it where there is one',
  'make evaluate ': 'takes minutes; test/integration/runs/evaluation.test.ts evaluates a small market',
  'make compose ': 'needs a container engine; test/containers/compose.sh runs it',
  'docker compose ': 'needs the containers of make compose; test/containers/compose.sh runs it',
  'kubectl create ': 'needs a cluster',
  'npx saring feed run exchange': 'needs a source of real days; test/integration/feed has one',
  'npx saring feed status':
    'needs a source of real days; test/integration/feed/feed-operator.test.ts has one',
  'npx saring feed try vendor.json': 'needs a source; services/feed/sources/trial.test.ts has one',
  'curl -sN -H "X-API-Key: $KEY" -H': 'never ends; test/contract/events.test.ts reads such a stream',
  "printf '%s": 'needs three machines and root; test/containers/three-machines.sh runs it',
  'cd /opt/saring': 'needs three machines and root; test/containers/three-machines.sh runs it',
  'chmod 711 ': 'needs three machines and root; test/containers/three-machines.sh runs it',
  'cp /opt/saring': 'needs three machines and root; test/containers/three-machines.sh runs it',
};

/** Commands that may exit with another code than 0, and why. */
const MAY_FAIL: [command: RegExp, why: string][] = [
  [/saring doctor/, 'it exits with 1 when it finds something, for example a disk that is nearly full'],
];

const LIMIT_MS = 300_000;
const MAX_OUTPUT_BYTES = 64 * 1024 ** 2;

/** Looks like a checkout in which `make run` runs the fleet. */
let checkout: string;
/** What the reader replaces, and by what. */
let replaced: [written: string, by: string][];
/** Variables that the first block of a document sets for the later ones. */
let variables: Record<'BASE' | 'KEY', string>;

beforeAll(async () => {
  checkout = await mkdtemp(path.join(tmpdir(), 'saring-checkout-'));
  for (const name of await readdir(REPOSITORY))
    if (name !== '.saring') await symlink(path.join(REPOSITORY, name), path.join(checkout, name));
  await symlink(own.fleet.stateDir, path.join(checkout, '.saring'));
  await mkdir(path.join(checkout, 'replaced'));
  await writeFile(path.join(checkout, 'replaced/npx'), AS_NPX, { mode: 0o755 });
  await writeData();
  const { base_url, demo_key } = await own.fleet.file();
  variables = { BASE: base_url, KEY: demo_key };
  const rest = new Rest(base_url);
  // Right after a start, health does not know its workers yet.
  const isHealthy = async () =>
    expect((await rest.get<Schemas['Health']>('/api/health')).body.runs.can_complete).toBe(true);
  await vi.waitFor(isHealthy, { timeout: LIMIT_MS / 2, interval: 200 });
  const { body } = await rest.as(demo_key).get<Schemas['MarketOverview']>('/api/v1/data/market-overview');
  const { id } = await issueKey(own.fleet.stateDir, 'models:read,models:run');
  const { stdout } = await saring(own.fleet.stateDir, 'record', 'verify', '--json');
  const { head } = JSON.parse(stdout) as { head: { seq: number; hash: string } };
  await mkdir(path.join(checkout, 'backups'));
  replaced = [
    ['<id>', id],
    ['<ticker>', body.top_losers[0]!.ticker],
    ['1042:9f2c…', `${head.seq}:${head.hash}`],
    ['path/to/folder', 'market'],
    ['/var/backups/', 'backups/'],
    ['STATE_DIR=/srv/new', 'STATE_DIR=restored'],
    ['/root/saring-certificates', 'certificates'],
    // It would never end.
    ['logs --follow', 'logs'],
  ];
}, LIMIT_MS);

afterAll(async () => {
  await rm(checkout, { recursive: true, force: true });
});

/** Runs the command that npx would find, since npx itself uses three times as much processor time as the command. */
const AS_NPX = '#!/bin/sh\n[ "$1" = saring ] && shift && exec "$HOME/cli/saring.js" "$@"\n';

/** The files that documents import. */
async function writeData(): Promise<void> {
  const days = weekdays('2024-06-03', 18);
  const bars = (close: number) => idxFile(days.map((date) => ({ date, close })));
  const files = { 'AAAA.csv': bars(1_000), 'BBBB.csv': bars(500) };
  const day = { date: '2024-07-01', close: 1_000 };
  const broker = brokerFile(tradeBetween(['AK', 'YP'], 1_000, 1_000, { ticker: 'AAAA', date: '2024-07-01' }));
  await mkdir(path.join(checkout, 'market'));
  for (const [name, content] of Object.entries({
    'market/AAAA.csv': files['AAAA.csv'],
    'market/BBBB.csv': files['BBBB.csv'],
    'idx-daily.tar.gz': await tarGzOf(files),
    '2024-07-01.csv': idxDayFile([
      { ticker: 'AAAA', ...day },
      { ticker: 'BBBB', ...day },
    ]),
    'broker_rows.csv.gz': gzipSync(broker),
  }))
    await writeFile(path.join(checkout, name), content);
}

const blocks = await codeBlocks();
const reasonOf = ({ title }: CodeBlock) => Object.keys(NOT_RUN).find((start) => title.startsWith(start));
/** Later blocks find the generated market as long as nothing else is imported. */
const importsLast = (a: CodeBlock, b: CodeBlock) =>
  Number(a.commands.includes('dataset import')) - Number(b.commands.includes('dataset import'));
const runnable = blocks.filter((block) => !reasonOf(block)).toSorted(importsLast);

test('every block that is not run exists', () => {
  const unused = Object.keys(NOT_RUN).filter((start) => !blocks.some(({ title }) => title.startsWith(start)));
  expect(unused).toEqual([]);
  expect(runnable.length).toBeGreaterThan(10);
});

test('every text that is replaced is in a block', () => {
  const texts = runnable.map(({ commands }) => commands);
  const unused = replaced.filter(([written]) => !texts.some((text) => text.includes(written)));
  expect(unused).toEqual([]);
});

test('results that documents show are compared', () => {
  expect(runnable.filter(({ result }) => result !== undefined).length).toBeGreaterThan(10);
});

test('npx finds the command in a checkout without asking a registry', async () => {
  const { failed, output } = await runScript('npx saring --version');
  expect([failed, output.trim()]).toEqual([[], expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
});

test.each(runnable.map((block) => [block.document, block.title, block] as const))(
  '%s: %s … runs as it is written, and prints what the document shows',
  async (_document, _title, block) => {
    const { failed, output, printed } = await run(block);
    expect(failed, output).toEqual([]);
    expect(output).not.toMatch(/"error":\{/);
    if (block.result !== undefined) expect(printed).toBe(block.result);
  },
  LIMIT_MS,
);

interface Ran {
  /** The commands that failed and may not. */
  failed: string[];
  output: string;
  /** The standard output alone. A terminal shows either end of a line in the same way. */
  printed: string;
}

/** Runs a block in the checkout, with `AS_NPX` in place of npx. */
function run({ commands }: CodeBlock): Promise<Ran> {
  const written = replaced.reduce((text, [what, by]) => text.replaceAll(what, by), commands);
  return runScript(`PATH=$HOME/replaced:$PATH\n${written}`);
}

function runScript(commands: string): Promise<Ran> {
  const script = `trap 'echo "FAILED: $BASH_COMMAND" >&2' ERR\n${commands}`;
  const env = {
    ...nodeEnvironment(),
    ...variables,
    HOME: checkout,
    OPERATOR_TOKEN: 'token',
    // npx must find the command in the checkout and never ask a registry.
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-o', 'pipefail', '-E', '-c', script],
      { cwd: checkout, env, maxBuffer: MAX_OUTPUT_BYTES },
      (_error, stdout, stderr) => {
        const output = `${stdout}\n${stderr}`;
        const failed = [...stderr.matchAll(/^FAILED: (.*)/gm)].map(([, command]) => command!);
        const printed = stdout.replaceAll('\r\n', '\n');
        resolve({ failed: failed.filter((command) => !mayFail(command)), output, printed });
      },
    ).stdin?.end();
  });
}

function mayFail(command: string): boolean {
  return MAY_FAIL.some(([pattern]) => pattern.test(command));
}
