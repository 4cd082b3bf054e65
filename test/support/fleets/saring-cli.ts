import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { fleetFileIn, type FleetFile } from './fleet.ts';
import { REPOSITORY } from '../repository.ts';
import { nodeEnvironment } from '../processes/node-environment.ts';

export interface CliResponse {
  code: number | null;
  stdout: string;
  stderr: string;
}

export const LAUNCHER = path.join(REPOSITORY, 'cli/saring.js');

/** Makes Node report a version that is too old to run TypeScript. */
export const AS_OLD_NODE = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })`,
  )}`,
];

export interface CliSurroundings {
  cwd?: string;
  /** The whole environment, apart from what Node itself needs. */
  env?: Record<string, string>;
  nodeFlags?: string[];
  launcher?: string;
}

/** Starts `saring …` with the given folder and environment. */
export function startCli(
  words: string[],
  surroundings: CliSurroundings = {},
): { child: ChildProcess; answer: Promise<CliResponse> } {
  const { cwd = tmpdir(), env = {}, nodeFlags = [], launcher = LAUNCHER } = surroundings;
  const child = spawn(process.execPath, [...nodeFlags, launcher, ...words], {
    cwd,
    env: { ...nodeEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, answer: responseOf(child) };
}

function responseOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<CliResponse> {
  const response = { code: null as number | null, stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (response.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (response.stderr += text.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...response, code })));
}

export function runCli(words: string[], surroundings?: CliSurroundings): Promise<CliResponse> {
  return startCli(words, surroundings).answer;
}

/**
 * Runs `saring …` against the fleet of a state directory, which may have stopped, or against the deployment described there.
 */
export async function saring(stateDir: string, ...words: string[]): Promise<CliResponse> {
  const { operator_command } = await fleetFileIn(stateDir).catch((): Partial<FleetFile> => ({}));
  if (!operator_command) return runCli(words, { cwd: REPOSITORY, env: { STATE_DIR: stateDir } });
  const [command, ...first] = operator_command as [string, ...string[]];
  return responseOf(spawn(command, [...first, ...words], { stdio: ['ignore', 'pipe', 'pipe'] }));
}
