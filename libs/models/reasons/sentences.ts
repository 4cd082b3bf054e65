import type { FeatureUnit } from '#quant/features/feature-words.ts';
import { LANGUAGES, type Language } from '#foundation/text/languages.ts';
import { Localised } from '#foundation/text/localised.ts';
import { wordsOf } from './feature-words.ts';
import { REASON_COUNT, type FeatureLine } from './schema.ts';

const FORMATS: Record<Language, Record<'whole' | 'one' | 'signed', Intl.NumberFormat>> = {
  id: formatsOf('id-ID'),
  en: formatsOf('en-US'),
};

function formatsOf(locale: string) {
  const format = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options);
  return {
    whole: format({ maximumFractionDigits: 0 }),
    one: format({ maximumFractionDigits: 1 }),
    signed: format({ maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
  };
}

/** A value in its unit, as the predicate of a sentence. */
const VALUES: Record<FeatureUnit, Record<Language, (value: number) => string>> = {
  rank: {
    id: (value) => `lebih tinggi daripada ${whole('id', 50 * (1 + value))}% saham pembanding`,
    en: (value) => `is higher than that of ${whole('en', 50 * (1 + value))}% of comparable stocks`,
  },
  score: {
    id: (value) => `${FORMATS.id.signed.format(100 * value)} pada skala -100 sampai 100`,
    en: (value) => `is ${FORMATS.en.signed.format(100 * value)} on a scale from -100 to 100`,
  },
  points: {
    id: (value) => `bernilai ${one('id', value)} poin`,
    en: (value) => `is ${one('en', value)} points`,
  },
  fraction: {
    id: (value) => `sebesar ${one('id', 100 * value)}%`,
    en: (value) => `is ${one('en', 100 * value)}%`,
  },
  days: {
    id: (value) => `${whole('id', value)} hari`,
    en: (value) => `is ${whole('en', value)} days`,
  },
  ranges: {
    id: (value) => `sebesar ${one('id', value)} kali rentang harga rata-rata`,
    en: (value) => `is ${one('en', value)} average true ranges`,
  },
  direction: {
    id: (value) => (value === 0 ? 'belum jelas' : value > 0 ? 'naik' : 'turun'),
    en: (value) => (value === 0 ? 'is not clear' : value > 0 ? 'is up' : 'is down'),
  },
  log_fraction: {
    id: (value) => `sebesar ${one('id', 100 * Math.exp(value))}%`,
    en: (value) => `is ${one('en', 100 * Math.exp(value))}%`,
  },
};

function whole(language: Language, value: number): string {
  return FORMATS[language].whole.format(value);
}

function one(language: Language, value: number): string {
  return FORMATS[language].one.format(value);
}

export type Effects = Record<Language, Record<'raised' | 'lowered' | 'left', string>>;

/** The effect of a contribution on the chance that the target comes before the stop. */
const CHANCE_EFFECTS: Effects = {
  id: {
    raised: 'dan menaikkan peluang',
    lowered: 'dan menurunkan peluang',
    left: 'dan tidak mengubah peluang',
  },
  en: {
    raised: 'and raised the chance',
    lowered: 'and lowered the chance',
    left: 'and left the chance as it was',
  },
};

/** The largest contributions as sentences: the feature, its value, and its effect. */
export function reasonsOf(largestFirst: readonly FeatureLine[], effects: Effects): Localised[] {
  return largestFirst.slice(0, REASON_COUNT).map((line) => {
    const [id, en] = LANGUAGES.map((language) => sentence(line, language, effects));
    return new Localised(id!, en!);
  });
}

const NOTHING_RAISED = new Localised(
  'Tidak satu pun yang dilihat model pada saham ini menaikkan peluangnya.',
  'Nothing that the model looked at raised the chance of this stock.',
);

/**
 * The reasons for a chance. The first is the largest contribution that raised it: a reason against a pick is no reason for it. If
 * nothing raised it, the first says so.
 */
export function chanceReasons(largestFirst: readonly FeatureLine[]): Localised[] {
  const first = largestFirst.find(({ log_odds }) => log_odds > 0);
  const ordered = first ? [first, ...largestFirst.filter((line) => line !== first)] : largestFirst;
  const reasons = reasonsOf(ordered, CHANCE_EFFECTS);
  return first || reasons.length === 0 ? reasons : [NOTHING_RAISED, ...reasons].slice(0, REASON_COUNT);
}

function sentence({ name, value, log_odds }: FeatureLine, language: Language, effects: Effects): string {
  const words = wordsOf(name);
  const effect = log_odds === 0 ? 'left' : log_odds > 0 ? 'raised' : 'lowered';
  return `${words[language]} ${VALUES[words.unit][language](value)} ${effects[language][effect]}.`;
}
