import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from './fleet.ts';
import { nodeEnvironment } from '../processes/node-environment.ts';

export interface CliAnswer {
  code: number | null;
  stdout: string;
  stderr: string;
}

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
  /** All of the environment but what Node itself needs. */
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
    env: { ...nodeEnvironment(), ...env },
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

/** Runs `saring …` against the fleet of that state directory. */
export function saring(stateDir: string, ...words: string[]): Promise<CliAnswer> {
  return runCli(words, { cwd: REPOSITORY, env: { STATE_DIR: stateDir } });
}
