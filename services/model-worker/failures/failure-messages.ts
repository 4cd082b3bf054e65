import { Localised, localised } from '#foundation/text/localised.ts';

/** Messages for callers whose run failed for reasons other than its parameters. */
export const FAILURE = {
  noDataset: new Localised(
    'Data pasar belum tersedia. Silakan coba lagi setelah data dimuat.',
    'There is no market data yet. Please try again once it is loaded.',
  ),
  notLoaded: new Localised(
    'Data pasar belum dapat dimuat. Silakan coba lagi beberapa saat lagi.',
    'The market data cannot be loaded yet. Please try again in a moment.',
  ),
  unexpected: new Localised(
    'Model gagal dijalankan karena kesalahan di sistem kami. Silakan jalankan ulang.',
    'The model failed through a fault of our system. Please run it again.',
  ),
  tooLong: new Localised(
    'Model berjalan terlalu lama sehingga dihentikan. Silakan jalankan ulang.',
    'The model ran for too long and was stopped. Please run it again.',
  ),
};

/** The message for a run that waited this long for an unreadable dataset. */
export function unreadableFor(ms: number): Localised {
  const seconds = Math.round(ms / 1_000);
  return new Localised(
    `Data pasar tidak dapat dibaca selama ${seconds} detik. Silakan coba lagi beberapa saat lagi.`,
    `The market data could not be read for ${seconds} seconds. Please try again in a moment.`,
  );
}

/** The message for a run that needs a trading day (YYYY-MM-DD) which no readable dataset contains. */
export function noDataOf(tradingDay: string): Localised {
  return localised(
    () => `Data hari bursa ${tradingDay} belum tersedia. Silakan coba lagi setelah data dimuat.`,
    ({ date }) => `There is no data of ${date(tradingDay)} yet. Please try again once it is loaded.`,
  );
}
