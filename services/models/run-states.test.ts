import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFinal, isFinalState, RUN_STATES, statesBefore, TRANSITIONS, type RunState } from './run-states.ts';

/** What compare-and-set does to a row, one report after another. */
function historyOf(reports: RunState[]): RunState[] {
  const history: RunState[] = ['queued'];
  for (const next of reports) if (statesBefore(next).includes(history.at(-1)!)) history.push(next);
  return history;
}

const report = fc.constantFrom<RunState>('running', 'succeeded', 'failed', 'interrupted');

test('any order and repetition of reports makes one legal history that ends at most once', () => {
  fc.assert(
    fc.property(fc.array(report, { maxLength: 30 }), (reports) => {
      const history = historyOf(reports);
      for (const [i, state] of history.slice(1).entries()) {
        expect(TRANSITIONS[history[i]!]).toContain(state);
      }
      const ends = history.filter(isFinal);
      expect(ends.length).toBeLessThanOrEqual(1);
      if (ends.length === 1) expect(history.at(-1)).toBe(ends[0]);
      expect(ends[0]).toBe(reports.find(isFinal));
    }),
  );
});

test('a run never goes back to where it was', () => {
  for (const state of RUN_STATES) expect(TRANSITIONS[state]).not.toContain(state);
  expect(statesBefore('queued')).toEqual([]);
  expect(statesBefore('running')).toEqual(['queued']);
});

test('only the final states may be reported as an end', () => {
  expect(RUN_STATES.filter(isFinalState)).toEqual(['succeeded', 'failed', 'interrupted']);
  expect(isFinalState('done')).toBe(false);
});
