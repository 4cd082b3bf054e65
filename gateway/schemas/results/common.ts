import Type, { type TProperties } from 'typebox';
import { Day, nullable, oneOf } from '../common.ts';
import { named } from '../named.ts';

/** Parts of results that several models share. */

export const asOf = Day('Trading day analysed. Show it to your users.');

export const pickCount = Type.Integer({
  description: 'Number of picks. Branch on this to tell whether there are any.',
});

export const Levels = named(
  'Levels',
  Type.Object(
    {
      target_gain_pct: Type.Number({ description: 'Where the target lies above the close, percent.' }),
      stop_loss_pct: Type.Number({ description: 'Where the stop lies below the close, percent.' }),
      entry_spread_pct: Type.Number({
        description: 'How far an entry may lie from the close on either side, percent.',
      }),
    },
    { description: 'The levels of every pick, after `target_gain` and `stop_loss` of the run.' },
  ),
);

const WIN_RATE = 'Share of these picks whose target was reached before their stop and in time, percent';
const PAYOFF = 'Mean gain of those that gained over the mean loss of the others, after costs';
const candidates = Type.Integer({ description: 'How many picks that is.' });
const quality = {
  description:
    'What came of the names that this run would have picked on past days that their models had not seen: of each day those that pass its filters, in its own order, as many as it may pick. Only names with a close of 100 IDR and an average value of 1 billion IDR a day or more are forecast for past days; what lower floors add to the picks is not judged.',
};

export const ModelQuality = named(
  'ModelQuality',
  Type.Object(
    {
      win_rate: nullable(Type.Number(), `${WIN_RATE}; null without candidates.`),
      payoff: nullable(Type.Number(), `${PAYOFF}; null when there is none of either.`),
      candidates,
    },
    quality,
  ),
);

export const ModelQualityNumbers = named(
  'ModelQualityNumbers',
  Type.Object(
    {
      win_rate: Type.Number({ description: `${WIN_RATE}; 0 without candidates.` }),
      payoff: Type.Number({ description: `${PAYOFF}; 0 when there is none of either.` }),
      candidates,
    },
    quality,
  ),
);

export const ResultDataset = named(
  'ResultDataset',
  Type.Object(
    {
      version: Type.String({ description: 'Dataset version analysed.', examples: ['synthetic-20240628-1'] }),
      kind: oneOf(['real', 'synthetic'], { description: 'Whether the market is real or generated.' }),
      broker_data: oneOf(['none', 'real', 'synthetic'], { description: 'Where its broker rows come from.' }),
      synthetic: Type.Boolean({ description: 'Whether the market is generated: then say so to your users.' }),
    },
    { description: 'What was analysed.' },
  ),
);

const Suggestion = named(
  'Suggestion',
  Type.Object({
    label: Type.String({ description: 'The filter, in words.', examples: ['Probabilitas minimum'] }),
    current: Type.String({ description: 'Its present setting.', examples: ['65'] }),
    suggested: Type.String({ description: 'What to set it to.', examples: ['58'] }),
    why: Type.String({ description: 'What that would let through.', examples: ['4 saham akan lolos.'] }),
  }),
);

/** What a run that picks nothing says; `funnel` tells how far the candidates came. */
export function emptyBlock(funnel: TProperties) {
  const block = Type.Object(
    {
      reason: Type.Literal('no_results'),
      message: Type.String({ description: 'For display, in Bahasa Indonesia.' }),
      funnel: Type.Object(funnel),
      suggestions: Type.Array(Suggestion, {
        description: 'Which filter to loosen and to what, tried on the same day; texts in Bahasa Indonesia.',
      }),
    },
    { description: 'Only when `pick_count` is 0, which is a success.' },
  );
  return { empty: Type.Optional(block) };
}

/** What the full view of a learning screen says beside its picks. */
export function picksMembers(funnel: TProperties) {
  return { levels: Levels, model_quality: ModelQuality, ...emptyBlock(funnel) };
}

export const step = (description: string) => Type.Integer({ description });
export const final = step('Picks.');
