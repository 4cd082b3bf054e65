import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';

/** A file that a model creates as soon as it runs in its thread: pass `path` as the model's parameter `sign`. */
interface SignOfLife {
  path: string;
  /** Resolves when the file exists. */
  seen: () => Promise<void>;
}

/** Call inside a test. The file is removed when the test ends. */
export async function signOfLife(): Promise<SignOfLife> {
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-sign-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'alive');
  const seen = () => expect.poll(() => existsSync(file)).toBe(true);
  return { path: file, seen };
}
