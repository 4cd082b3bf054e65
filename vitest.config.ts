import { existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { IN_TIME } from './test/support/hangs.ts';
import LongestFirst from './test/support/vitest/longest-first.ts';

/** Otherwise every process of a test compiles the same files again: a third of the work of starting a fleet. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** Test servers sync every write, which costs nothing in memory. All their files together stay far below this size. */
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 8 * 1024 ** 3;
if (existsSync(IN_MEMORY) && Math.min(freeBytes(IN_MEMORY), freemem()) > ENOUGH_BYTES)
  process.env['TMPDIR'] ??= IN_MEMORY;

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Groups run one after the other, and the files of a group together. `make test` runs the first two:
 * - what the shared fleet does through its front door, first because its setup runs before all groups;
 * - unit tests beside the code, and single services against real servers. The former compute and the latter wait.
 *
 * `make test-long` runs those that take minutes by nature:
 * - fleets that are broken on purpose, operated, copied, backed up, upgraded and loaded, clusters, chaos and power cuts.
 *
 * `make test-clients` runs the packages of the clients as applications install them; `make test-others` both in one run.
 */
const project = (name: string, groupOrder: number, include: string[], options: object = {}) => ({
  extends: true as const,
  test: { name, include, sequence: { groupOrder }, ...options },
});

const BUILDING = 'test/support/processes/built-programs.ts';
const SHARING_A_FLEET = {
  // A third would be faster by a sixth, but the one worker and market of the fleet would then be late now and then.
  maxWorkers: 2,
  globalSetup: [BUILDING, 'test/support/fleets/contract-fleet.ts'],
  setupFiles: ['./test/support/fleets/contract-user.ts'],
};
const MAKING_ONCE = { globalSetup: [BUILDING, 'test/support/servers/made-once.ts'] };

export default defineConfig({
  test: {
    pool: 'forks',
    // Loading the same modules again for every file is a third of the work of short tests. No test replaces a module.
    isolate: false,
    reporters: [
      'default',
      './test/support/vitest/suite-weight.ts',
      './test/unsteady/failed-files.ts',
      './test/support/vitest/closing-line.ts',
    ],
    setupFiles: ['./test/support/vitest/property-seed.ts', './test/support/vitest/warnings-of-failures.ts'],
    sequence: { sequencer: LongestFirst },
    // A limit only ends a test that hangs: it must not judge how fast the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: IN_TIME },
    // A fourth gains nothing on two processors.
    maxWorkers: 3,
    projects: [
      project('contract', 0, ['test/contract/**/*.test.ts', 'test/console/**/*.test.ts'], SHARING_A_FLEET),
      project('unit', 1, [
        'services/**/*.test.ts',
        'libs/**/*.test.ts',
        'gateway/**/*.test.ts',
        'console/**/*.test.ts',
        'clients/**/*.test.ts',
        'cli/**/*.test.ts',
        'evaluation/**/*.test.ts',
        'test/*.test.ts',
        'test/property/**/*.test.ts',
        'test/unsteady/**/*.test.ts',
      ]),
      project('integration', 1, ['deploy/**/*.test.ts', 'test/integration/**/*.test.ts'], MAKING_ONCE),
      project('clients', 0, ['test/clients/**/*.test.ts'], SHARING_A_FLEET),
      project('faults', 2, ['test/faults/**/*.test.ts'], MAKING_ONCE),
      project('long', 2, ['test/long/**/*.test.ts'], MAKING_ONCE),
    ],
  },
});
