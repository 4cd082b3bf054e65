import { spawn } from 'node:child_process';
import path from 'node:path';
import { REPOSITORY } from './fleet.ts';

export interface CliAnswer {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `saring …` as a person would and returns what it printed. */
export function saring(stateDir: string, ...words: string[]): Promise<CliAnswer> {
  const launcher = path.join(REPOSITORY, 'services/operator/saring.js');
  const child = spawn(process.execPath, [launcher, ...words], {
    cwd: REPOSITORY,
    env: { ...process.env, STATE_DIR: stateDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const answer = { code: null as number | null, stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (answer.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (answer.stderr += text.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...answer, code })));
}

/** Issues a key with these scopes and returns its id and secret. */
export async function createKey(
  stateDir: string,
  scopes: string,
  ...more: string[]
): Promise<{ id: string; key: string }> {
  const answer = await saring(
    stateDir,
    'keys',
    'create',
    '--name',
    'test',
    '--scopes',
    scopes,
    '--json',
    ...more,
  );
  if (answer.code !== 0) throw new Error(`keys create failed: ${answer.stderr}`);
  return JSON.parse(answer.stdout) as { id: string; key: string };
}
