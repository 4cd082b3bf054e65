import { defineConfig } from 'vitest/config';

/**
 * Four groups, run one after the other, so that a fleet under test never competes with another for the machine:
 * unit tests beside the code, then single services against real servers, then a whole fleet through its front door,
 * then fleets that are broken on purpose.
 */
const group = (name: string, groupOrder: number, include: string[], options: object = {}) => ({
  extends: true as const,
  test: { name, include, sequence: { groupOrder }, ...options },
});

export default defineConfig({
  test: {
    pool: 'forks',
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      group('unit', 0, [
        'services/**/*.test.ts',
        'gateway/**/*.test.ts',
        'test/*.test.ts',
        'test/property/**/*.test.ts',
        'test/evaluation/**/*.test.ts',
      ]),
      group('integration', 1, ['deploy/**/*.test.ts', 'test/integration/**/*.test.ts']),
      group('contract', 2, ['test/contract/**/*.test.ts'], {
        globalSetup: ['test/support/contract-fleet.ts'],
      }),
      group('faults', 3, ['test/faults/**/*.test.ts'], {
        maxWorkers: 1,
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
    ],
  },
});
