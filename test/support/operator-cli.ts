import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from './fleet.ts';
import type { CliAnswer } from './saring-cli.ts';
import { OPERATOR_TOKEN } from './service-process.ts';

export const LAUNCHER = path.join(REPOSITORY, 'services/operator/saring.js');

/** Makes any Node take itself for one that is too old to run TypeScript. */
export const AS_OLD_NODE = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })`,
  )}`,
];

export interface CliSurroundings {
  cwd?: string;
  /** All of the environment but PATH. */
  env?: Record<string, string>;
  nodeFlags?: string[];
  launcher?: string;
}

/** Starts `saring …` in surroundings of its own. */
export function startCli(
  words: string[],
  surroundings: CliSurroundings = {},
): { child: ChildProcess; answer: Promise<CliAnswer> } {
  const { cwd = tmpdir(), env = {}, nodeFlags = [], launcher = LAUNCHER } = surroundings;
  const child = spawn(process.execPath, [...nodeFlags, launcher, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const answer = { code: null as number | null, stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (answer.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (answer.stderr += text.toString()));
  return {
    child,
    answer: new Promise((resolve) => child.once('close', (code) => resolve({ ...answer, code }))),
  };
}

export function runCli(words: string[], surroundings?: CliSurroundings): Promise<CliAnswer> {
  return startCli(words, surroundings).answer;
}

const folders: string[] = [];

/** An empty folder, there until `removeFolders`. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-cli-'));
  folders.push(folder);
  return folder;
}

export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

export interface FleetParts {
  keys: string;
  market_data: string;
  operator_token?: string;
}

/** Writes a `fleet.json` as a running fleet does. */
export async function writeFleetFile(folder: string, fleet: FleetParts): Promise<void> {
  const { operator_token = OPERATOR_TOKEN, ...addresses } = fleet;
  const document = { base_url: 'http://127.0.0.1:8080', addresses, operator_token };
  await writeFile(path.join(folder, 'fleet.json'), JSON.stringify(document), { mode: 0o600 });
}
