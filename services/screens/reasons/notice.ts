import type { ModelQuality } from '#quant/learning/validation/model-quality.ts';
import { joined, Localised, localised } from '#shared/text/localised.ts';

const NO_ADVICE = new Localised(
  'Ini bukan rekomendasi untuk membeli atau menjual.',
  'This is no recommendation to buy or sell.',
);

/** The notice shown with every pick: what its number means, how often such names won, and that it is no advice. */
export function notice(number: Localised, record: Localised): Localised {
  return joined([number, record, NO_ADVICE]);
}

/** The number of models that give a probability. */
export const PROBABILITY = new Localised(
  'Probabilitas membandingkan peluang menang saham dengan tingkat dasar: 50 berarti setara rata-rata saham likuid.',
  'The probability compares the chance of a stock to win with the base rate: 50 is as likely as the average liquid stock.',
);

/** How often the picks that a run would have made on past days won. */
export function winRecord({
  win_rate,
  candidates,
}: Pick<ModelQuality, 'win_rate' | 'candidates'>): Localised {
  if (win_rate === null || candidates === 0) {
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
