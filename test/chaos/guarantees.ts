import type { ChaosOutcome } from './chaos.ts';

/** Everything is back by itself within this time. */
const BACK_WITHIN_MS = 30_000;

/** One sentence for each promise that did not hold. */
export function brokenPromises(outcome: ChaosOutcome): string[] {
  const { clients, states, ledger, unlisted, lostConsents, lostImports, schedules, readyAfterMs } = outcome;
  const wrong = [...states].filter(([state]) => !['succeeded', 'interrupted', 'cancelled'].includes(state));
  return [
    ...wrong.map(([state, times]) => `${times} accepted runs are ${state}`),
    ...Object.entries(ledger)
      .filter(([, rows]) => rows > 0)
      .map(([what, rows]) => `${rows} ledger rows: ${what}`),
    ...(unlisted > 0 ? [`${unlisted} accepted runs are on no page of usage`] : []),
    ...(lostConsents > 0 ? [`${lostConsents} recorded consents are lost`] : []),
    ...[...readyAfterMs]
      .filter(([, all]) => Math.max(...all) > BACK_WITHIN_MS)
      .map(([phase, all]) => `no run completed for ${Math.max(...all) / 1_000} s after: ${phase}`),
    ...(schedules.doubled > 0 ? [`schedules have started ${schedules.doubled} runs too many`] : []),
    ...(schedules.undecided > 0 ? [`${schedules.undecided} firings of schedules came to nothing`] : []),
    ...lostImports.map((what) => `an acknowledged import is lost: ${what}`),
    ...[...clients.breaches].map(([what, example]) => `${what}: ${example}`),
    ...(clients.runs.size === 0 ? ['no run was accepted, so nothing was tried'] : []),
  ];
}
