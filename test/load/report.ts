import { quantile, markdownTable, verdict } from '#support/measuring/report.ts';
import { FINAL } from '#support/rest/jobs.ts';
import { describeDifferences } from '#support/load/comparison.ts';
import { countStates } from '#support/load/final-states.ts';
import type { LoadOutcome } from './run-load.ts';

type Row = readonly string[];

const SHOWN_KINDS = 3;

/** The results as tables in Markdown. The last lines state which guarantees held. */
export function reportOf(outcome: LoadOutcome): string {
  return [
    markdownTable(['Kind of request', 'Requests', 'p50', 'p99', 'Max'], latencies(outcome)),
    markdownTable(['Answer', 'Times', 'Asked for'], responses(outcome)),
    markdownTable(['What', 'How many'], figures(outcome)),
    verdict(broken(outcome)),
  ].join('\n\n');
}

function latencies({ tally }: LoadOutcome): Row[] {
  const row = (kind: string, samples: number[]): Row => [
    kind,
    samples.length.toLocaleString('en'),
    ...[0.5, 0.99, 1].map((q) => `${quantile(samples, q).toFixed(0)} ms`),
  ];
  const rows = [...tally.latencies].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...rows.map(([kind, samples]) => row(kind, samples)),
    row(
      'all',
      rows.flatMap(([, all]) => all),
    ),
  ];
}

function responses({ tally }: LoadOutcome): Row[] {
  const rows = [...tally.outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return rows.map(([outcome, kinds]) => {
    const times = [...kinds.values()].reduce((sum, one) => sum + one, 0);
    return [outcome, times.toLocaleString('en'), outcome >= '429' ? kindsOf(kinds) : ''];
  });
}

/** Kinds by frequency, the most frequent first. */
function kindsOf(kinds: Map<string, number>): string {
  const most = [...kinds].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN_KINDS);
  const others = kinds.size > SHOWN_KINDS ? ', and others' : '';
  return most.map(([kind, times]) => `${kind} (${times})`).join(', ') + others;
}

function figures({ accepted, drained, stored, differences, ...outcome }: LoadOutcome): Row[] {
  const inState = countStates(drained.states.values()).map(([state, times]) => `${times} ${state}`);
  const unfinished = [...drained.states.values()].filter((state) => !FINAL.includes(state)).length;
  const { doubled, missing, open, invented, otherState, untold, lostConsents, untoldConsents } = differences;
  return [
    ['requests a second while clients were at it', outcome.perSecond.toFixed(0)],
    [
      'queries that ClickHouse kept waiting (for seconds)',
      `${outcome.delayedQueries} (${outcome.stalledQueries})`,
    ],
    ['runs accepted', `${accepted.runs.size}`],
    ['... in these states at the end', inState.join(', ')],
    ...[...drained.failures].map(([why, jobs]): Row => [
      `... failed: ${why.split('.')[0]}`,
      `${jobs.length}`,
    ]),
    ['... not final', `${unfinished}`],
    ['the queue was empty after', `${(drained.tookMs / 1_000).toFixed(1)} s`],
    ['usage rows', `${stored.usage.length}`],
    ['... doubled, missing, open', `${doubled}, ${missing}, ${open}`],
    ['... of no run, in another state than their run', `${invented}, ${otherState}`],
    ['... as /api/v1/admin/usage/keys counts them', outcome.isRightByKey ? 'the same' : 'others'],
    [
      'submissions without an answer; runs beyond these of which nobody was told',
      `${accepted.unanswered}; ${untold}`,
    ],
    ['repetitions under an Idempotency-Key', `${accepted.repetitions}`],
    ['acceptances of the disclaimer recorded', `${accepted.consents.size}`],
    ['... not stored; stored and not confirmed', `${lostConsents}; ${untoldConsents}`],
  ];
}

/** One sentence for each violated guarantee; empty if all held. */
export function broken({
  tally,
  drained,
  differences,
  isRightByKey,
  ended,
  accepted,
}: LoadOutcome): string[] {
  const unfinished = [...drained.states].filter(([, state]) => !FINAL.includes(state));
  return [
    ...tally.describeBreaches(),
    ...ended.map((name) => `the process ${name} ended`),
    ...unfinished.slice(0, 10).map(([jobId, state]) => `accepted run ${jobId} is ${state}`),
    ...describeDifferences(differences),
    ...(isRightByKey ? [] : ['/api/v1/admin/usage/keys does not give the counts of the rows']),
    ...(accepted.runs.size > 0 ? [] : ['no run was accepted, so nothing was tried']),
  ];
}
