import type { ModelQuality } from '#quant/learning/validation/model-quality.ts';
import type { Formats } from '#shared/text/languages.ts';
import { joined, Localised, localised } from '#shared/text/localised.ts';

const NO_ADVICE = new Localised(
  'Ini bukan rekomendasi untuk membeli atau menjual.',
  'This is no recommendation to buy or sell.',
);

/**
 * The notice shown with every pick: the caution that a model needs, what its number means, how often such names won, and that it
 * is no advice.
 */
export function notice(number: Localised, record: Localised | undefined, caution?: Localised): Localised {
  return joined([caution, number, record, NO_ADVICE]);
}

const PROBABILITY = new Localised(
  'Probabilitas membandingkan peluang saham dengan peluang biasa itu dan bukan peluang: 50 berarti setara saham likuid rata-rata.',
  'The probability compares the chance of a stock with the usual one and is no chance: 50 is as likely as the average liquid stock.',
);

/**
 * The number of models that give a probability. The chances come first, because a probability of 77 is easily taken for a chance
 * of 77 %.
 *
 * @param chances those of the picks, 0 to 1, like the base rate
 */
export function chanceToWin(chances: readonly number[], baseRate: number): Localised {
  const percent = ({ oneDecimal }: Formats, share: number) => `${oneDecimal(100 * share)}%`;
  const range = (formats: Formats, to: string) => {
    const ends = [Math.min(...chances), Math.max(...chances)].map((share) => percent(formats, share));
    return [...new Set(ends)].join(` ${to} `);
  };
  const chance =
    chances.length === 0
      ? localised(
          (id) =>
            `Peluang biasa suatu saham mencapai target sebelum batas kerugian adalah ${percent(id, baseRate)}.`,
          (en) =>
            `The usual chance of a stock to reach the target before the stop is ${percent(en, baseRate)}.`,
        )
      : localised(
          (id) =>
            `Peluang pilihan ini mencapai target sebelum batas kerugian adalah ${range(id, 'sampai')}; biasanya ${percent(id, baseRate)}.`,
          (en) =>
            `The chance of these picks to reach the target before the stop is ${range(en, 'to')}; the usual one is ${percent(en, baseRate)}.`,
        );
  return joined([chance, PROBABILITY]);
}

/** How often the picks that a run would have made on past days won. */
export function winRecord({
  win_rate,
  candidates,
}: Pick<ModelQuality, 'win_rate' | 'candidates'>): Localised {
  if (win_rate === undefined) {
    return new Localised(
      'Tidak ada pilihan dari hari-hari lampau yang menunjukkan seberapa sering saham seperti ini berhasil.',
      'There are no picks of past days to show how often such stocks won.',
    );
  }
  return localised(
    ({ plain }) =>
      `Dari ${plain(candidates)} pilihan seperti ini pada hari-hari lampau, ${plain(win_rate)}% mencapai target sebelum batas kerugian.`,
    ({ plain }) =>
      `Of ${plain(candidates)} such picks of past days, ${plain(win_rate)}% reached the target before the stop.`,
  );
}
