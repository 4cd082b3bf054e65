import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkRestored, StateDir, UNFINISHED_RESTORE } from './state-dir.ts';

test.for([
  ['/proc/saring/state', 'ENOENT'],
  ['/dev/null/state', 'ENOTDIR'],
] as const)(
  'a state directory that cannot be created is reported at once, with its path: %s',
  ([root, code]) => {
    expect(() => new StateDir(root)).toThrow(
      `The state directory ${root} cannot be made or written (${code}): set STATE_DIR to another one.`,
    );
  },
);

test('a fleet does not start from an interrupted restore', () => {
  const stateDir = new StateDir(mkdtempSync(path.join(tmpdir(), 'saring-restore-')));
  expect(() => checkRestored(stateDir)).not.toThrow();
  writeFileSync(stateDir.path(UNFINISHED_RESTORE), 'backup.tar\n');
  expect(() => checkRestored(stateDir)).toThrow(
    /was interrupted. Delete this directory, and restore the backup again/,
  );
  rmSync(stateDir.root, { recursive: true });
});
