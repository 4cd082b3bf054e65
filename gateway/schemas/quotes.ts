import Type from 'typebox';
import { Day } from './common.ts';
import { named } from './named.ts';

export const DatasetVersion = Type.String({
  description: 'Dataset version answered from. Versions of a generated market begin with `synthetic-`.',
  examples: ['synthetic-20240628-1'],
});

const Quote = named(
  'Quote',
  Type.Object({
    close: Type.Number({ description: 'Close as traded, IDR, not adjusted for splits.' }),
    change_pct: Type.Number({
      description: 'Change against the reference price of the day (which is adjusted for splits), percent.',
    }),
    date: Day('Trading day; the latest of the dataset.'),
  }),
);

export const Quotes = named(
  'Quotes',
  Type.Object({
    quotes: Type.Record(Type.String(), Quote, {
      description: 'By upper-case ticker. A ticker without a trade on the latest day is left out.',
    }),
    dataset_version: DatasetVersion,
  }),
);
