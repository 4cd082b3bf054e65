import type { Schemas } from '#client/index.ts';
import { number, percent } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import type { Fact } from '../facts.tsx';

const say = inLanguages({
  deflated: ['Not just luck', 'Bukan sekadar kebetulan'],
  trials: (count: string) => [
    `deflated Sharpe ratio, ${count} trials`,
    `rasio Sharpe terdeflasi, ${count} percobaan`,
  ],
  overfitting: ['Overfitted', 'Overfit'],
  fewTrials: [
    'known from ten trials on the same days on',
    'diketahui mulai sepuluh percobaan pada hari yang sama',
  ],
});

type Trials = Pick<
  Schemas['SimulationResult']['trials'],
  'count' | 'deflated_sharpe_pct' | 'overfitting_pct'
>;

/** What is left of a past or a simulation in the light of everything that the end user has tried. */
export function trialFacts({ count, deflated_sharpe_pct, overfitting_pct }: Trials): Fact[] {
  return [
    [say.deflated, percent(deflated_sharpe_pct, 0), say.trials(number(count))],
    [say.overfitting, percent(overfitting_pct, 0), overfitting_pct === null && say.fewTrials],
  ];
}

type Judged = Pick<Schemas['ScreenPast'], 'verdict' | 'verdict_text'>;

const CLASSES: Record<Judged['verdict'], string> = {
  worse: 'failed',
  not_shown: '',
  shown_before_costs_only: '',
  shown: 'succeeded',
};

/** Whether the past of picks shows that they are worth something, before any figure. */
export function Verdict({ of }: { of: Judged }) {
  return (
    <p>
      <strong class={CLASSES[of.verdict]}>{of.verdict_text}</strong>
    </p>
  );
}
