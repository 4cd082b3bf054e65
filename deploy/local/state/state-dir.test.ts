import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkRestored, StateDir, UNFINISHED_RESTORE } from './state-dir.ts';

test('a fleet does not start from an interrupted restore', () => {
  const stateDir = new StateDir(mkdtempSync(path.join(tmpdir(), 'saring-restore-')));
  expect(() => checkRestored(stateDir)).not.toThrow();
  writeFileSync(stateDir.path(UNFINISHED_RESTORE), 'backup.tar\n');
  expect(() => checkRestored(stateDir)).toThrow(
    /was interrupted. Delete this directory, and restore the backup again/,
  );
  rmSync(stateDir.root, { recursive: true });
});
