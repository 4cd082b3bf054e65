import type { Schemas } from '#client/index.ts';
import { number, percent } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import type { Fact } from './facts.tsx';

const words = inLanguages({
  en: {
    deflated: 'Not just luck',
    trials: (count: string) => `deflated Sharpe ratio, ${count} trials`,
    overfitting: 'Overfitted',
    fewTrials: 'known from ten trials on the same days on',
  },
  id: {
    deflated: 'Bukan sekadar kebetulan',
    trials: (count: string) => `rasio Sharpe terdeflasi, ${count} percobaan`,
    overfitting: 'Overfit',
    fewTrials: 'diketahui mulai sepuluh percobaan pada hari yang sama',
  },
});

type Trials = Pick<
  Schemas['SimulationResult']['trials'],
  'count' | 'deflated_sharpe_pct' | 'overfitting_pct'
>;

/** What is left of a past or a simulation in the light of everything that the end user has tried. */
export function trialFacts({ count, deflated_sharpe_pct, overfitting_pct }: Trials): Fact[] {
  const say = words.value;
  return [
    { name: say.deflated, value: percent(deflated_sharpe_pct, 0), note: say.trials(number(count)) },
    {
      name: say.overfitting,
      value: percent(overfitting_pct, 0),
      ...(overfitting_pct === null && { note: say.fewTrials }),
    },
  ];
}
