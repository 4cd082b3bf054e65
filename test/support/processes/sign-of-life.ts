import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';

/** A file that a model makes as soon as it is at work in its thread: give it `path` as its parameter `sign`. */
interface SignOfLife {
  path: string;
  /** Resolves once it is there. */
  seen: () => Promise<void>;
}

/** Call in a test, which removes it when it ends. */
export async function signOfLife(): Promise<SignOfLife> {
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-sign-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'alive');
  const seen = () => expect.poll(() => existsSync(file), { timeout: 20_000, interval: 20 }).toBe(true);
  return { path: file, seen };
}
