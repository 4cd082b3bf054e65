import { inLanguages } from '#console/words/in-languages.ts';

export const say = inLanguages({
  passed: ['Stocks that pass', 'Saham yang lolos'],
  ofScreened: (count: string) => [`of ${count} screened`, `dari ${count} yang disaring`],
  missing: (tickers: string) => [
    `No stock has this code: ${tickers}.`,
    `Tidak ada saham dengan kode ini: ${tickers}.`,
  ],
  nobody: ['No stock passes on this day.', 'Tidak ada saham yang lolos pada hari ini.'],
  stocks: ['Stocks that pass', 'Saham yang lolos'],
  look: ['Show as', 'Tampilkan sebagai'],
  looks: { table: ['Table', 'Tabel'], charts: ['Charts', 'Grafik'] },
  chartOf: (ticker: string, until: string, close: string, change: string) => [
    `${ticker}: candles of 60 trading days to ${until}, last close ${close}, ${change}`,
    `${ticker}: candle 60 hari bursa sampai ${until}, penutupan terakhir ${close}, ${change}`,
  ],
  tooLongAgo: [
    'The day is too long ago for a small chart.',
    'Harinya sudah terlalu lama untuk grafik kecil.',
  ],
  why: ['Why', 'Mengapa'],
  whyTicker: (ticker: string) => [`Why ${ticker}`, `Mengapa ${ticker}`],
  first: (count: string) => [
    `The first ${count}, in the order of the rules.`,
    `${count} yang pertama, menurut urutan aturan.`,
  ],
  csv: ['Download CSV', 'Unduh CSV'],
});
