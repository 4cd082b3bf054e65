/** What a caller reads of a run that failed for no fault of its parameters, in Bahasa Indonesia. */
export const FAILURE = {
  noDataset: 'Data pasar belum tersedia. Silakan coba lagi setelah data dimuat.',
  notLoaded: 'Data pasar belum dapat dimuat. Silakan coba lagi beberapa saat lagi.',
  unexpected: 'Model gagal dijalankan karena kesalahan di sistem kami. Silakan jalankan ulang.',
  tooLong: 'Model berjalan terlalu lama sehingga dihentikan. Silakan jalankan ulang.',
};

/** The same for a run that waited this long for a dataset which cannot be read. */
export function unreadableFor(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `Data pasar tidak dapat dibaca selama ${seconds} detik. Silakan coba lagi beberapa saat lagi.`;
}

/** The same for a run that needs a trading day (YYYY-MM-DD) which no dataset has that can be read. */
export function noDataOf(tradingDay: string): string {
  return `Data hari bursa ${tradingDay} belum tersedia. Silakan coba lagi setelah data dimuat.`;
}
