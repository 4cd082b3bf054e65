import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import { measuredDurations } from './support/lint/measured-durations.ts';

RuleTester.describe = describe;
RuleTester.it = test;
const tester = new RuleTester();
const BEGUN = 'const begun = performance.now();';
const refused = (code: string) => ({ code, errors: [{ messageId: 'tight' }] });

tester.run('a measured duration is compared only with a limit that hanging exceeds', measuredDurations, {
  valid: [
    `${BEGUN} expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);`,
    `${BEGUN} expect(performance.now() - begun, 'words').toBeLessThanOrEqual(2 * HANGS_AFTER_MS);`,
    `const LIMIT_MS = 60_000; ${BEGUN} expect(Date.now() - begun).toBeLessThan(LIMIT_MS);`,
    `${BEGUN} expect(performance.now() - begun).toBeGreaterThan(900);`,
    'const leftMs = endsAt - Date.now(); expect(leftMs).toBeLessThan(100);',
    'const began = Date.now(); expect(rows.length).toBeLessThan(5);',
    `const LIMIT_MS = 500; expect(delayMs).toBeLessThan(LIMIT_MS);`,
  ],
  invalid: [
    `${BEGUN} expect(performance.now() - begun).toBeLessThan(5_000);`,
    `${BEGUN} expect(Date.now() - begun, 'words').toBeLessThanOrEqual(1_000);`,
    `const LIMIT_MS = 29_999; ${BEGUN} expect(performance.now() - begun).toBeLessThan(LIMIT_MS);`,
    `${BEGUN} expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS / 2);`,
    `import { LIMIT_MS } from './limits.ts'; ${BEGUN} expect(performance.now() - begun).toBeLessThan(LIMIT_MS);`,
    `${BEGUN} const tookMs = performance.now() - begun; expect(tookMs).toBeLessThan(200);`,
    `let longestMs = 0; longestMs = Math.max(longestMs, Date.now() - begun); expect(longestMs).toBeLessThan(1_000);`,
    `const took = Array.from({ length: 5 }, () => { ${BEGUN} return performance.now() - begun; });
     expect(Math.min(...took)).toBeLessThan(20);`,
    `async function timeOf(work) { ${BEGUN} await work; return performance.now() - begun; }
     test('', async () => expect(await timeOf(stop())).toBeLessThan(2_500));`,
  ].map(refused),
});
