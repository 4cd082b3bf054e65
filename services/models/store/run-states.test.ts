import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  endOfCancelled,
  isFinal,
  isFinalState,
  ON_CANCEL,
  RUN_STATES,
  statesBefore,
  TRANSITIONS,
  type RunState,
} from './run-states.ts';

/** The states that a row passes through if reports are applied one after another with compare-and-set. */
function historyOf(reports: RunState[]): RunState[] {
  const history: RunState[] = ['queued'];
  for (const next of reports) if (statesBefore(next).includes(history.at(-1)!)) history.push(next);
  return history;
}

const report = fc.constantFrom<RunState>('running', 'succeeded', 'failed', 'interrupted');

test('reports in any order, repeated or not, give a legal history with at most one final state', () => {
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

test('a run never returns to an earlier state', () => {
  for (const state of RUN_STATES) expect(TRANSITIONS[state]).not.toContain(state);
  expect(statesBefore('queued')).toEqual([]);
  expect(statesBefore('running')).toEqual(['queued']);
});

test('only final states may be reported as an end', () => {
  expect(RUN_STATES.filter(isFinalState)).toEqual(['succeeded', 'failed', 'interrupted']);
  expect(isFinalState('done')).toBe(false);
});

test('a cancellation ends a queued run at once and moves other runs only along legal transitions', () => {
  expect(Object.keys(ON_CANCEL)).toEqual(RUN_STATES.filter((state) => !isFinal(state)));
  for (const [state, next] of Object.entries(ON_CANCEL))
    expect([state, ...TRANSITIONS[state as keyof typeof ON_CANCEL]]).toContain(next);
  expect(isFinal(ON_CANCEL.queued)).toBe(true);
  expect(isFinal(ON_CANCEL.running)).toBe(false);
});

test('a cancelled run never ends as interrupted, and its end replaces the reported one from the same states', () => {
  for (const reported of RUN_STATES.filter(isFinalState)) {
    const end = endOfCancelled(reported);
    expect(end).not.toBe('interrupted');
    expect(statesBefore(end)).toEqual(statesBefore(reported));
    if (reported !== 'interrupted') expect(end).toBe(reported);
  }
});
