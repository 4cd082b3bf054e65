import type { ModelQuality } from '#quant/learning/validation/model-quality.ts';
import { newestGap } from '#quant/panel/gaps.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { Formats } from '#foundation/text/languages.ts';
import { joined, Localised, localised } from '#foundation/text/localised.ts';

const NO_ADVICE = new Localised(
  'Ini bukan rekomendasi untuk membeli atau menjual.',
  'This is no recommendation to buy or sell.',
);

/**
 * The notice shown with every pick: the caution that a model needs, what its number means, how often such names won, whether
 * data is missing, and that it is no advice.
 */
export function notice(
  number: Localised,
  record: Localised | undefined,
  { caution, missing }: { caution?: Localised | undefined; missing?: Localised | undefined } = {},
): Localised {
  return joined([caution, number, record, missing, NO_ADVICE]);
}

/** What a model says that was not told everything of the days up to one (calendar index); undefined if it was. */
export function missingData(panel: Panel, day: number): Localised | undefined {
  const missing = [missingDays(panel, day), unsaid(panel, day)].filter((part) => part !== undefined);
  return missing.length > 0 ? joined(missing) : undefined;
}

/** What a model says that learns and judges over the days that exist, on a day (calendar index) before which others are missing. */
function missingDays(panel: Panel, day: number): Localised | undefined {
  const after = panel.columns.dates[newestGap(panel, day)];
  if (after === undefined) return undefined;
  return localised(
    ({ date }) =>
      `Ada hari bursa sebelum ${date(after)} yang datanya tidak ada; model menghitung hari yang ada.`,
    ({ date }) =>
      `Trading days before ${date(after)} are missing from the data; the model counts the days that exist.`,
  );
}

const RECENT_DAYS = 20;

/** What a model says that no source told the foreign or negotiated trades of some stocks. */
function unsaid(panel: Panel, day: number): Localised | undefined {
  const { foreign_buy, nego_value, volume } = panel.columns;
  let count = 0;
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    const end = panel.endRow(ticker, day);
    let row = panel.endRow(ticker, day - RECENT_DAYS);
    while (row < end && !(volume[row]! > 0 && Number.isNaN(foreign_buy[row]! + nego_value[row]!))) row++;
    if (row < end) count++;
  }
  if (count === 0) return undefined;
  return new Localised(
    `Tidak ada sumber yang menyatakan transaksi asing atau negosiasi ${count} saham pada sebagian dari ${RECENT_DAYS} hari terakhir; model menilainya tanpa itu.`,
    `No source says the foreign or negotiated trades of ${count} stocks on some of the last ${RECENT_DAYS} days; the model judges them without these.`,
  );
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
