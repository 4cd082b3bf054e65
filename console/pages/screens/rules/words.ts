import { inLanguages } from '#console/words/in-languages.ts';

export const say = inLanguages({
  rules: ['Rules', 'Aturan'],
  rulesHint: [
    'One line, such as: rsi_14 < 35 and foreign_net_20d_idr > 0 sort by value_idr desc limit 20. Enter runs it.',
    'Satu baris, misalnya: rsi_14 < 35 and foreign_net_20d_idr > 0 sort by value_idr desc limit 20. Enter menjalankannya.',
  ],
  beginWith: ['Begin with an example, and change it:', 'Mulai dari contoh, lalu ubah:'],
  examples: {
    oversold: ['Oversold, and foreigners buy', 'Jenuh jual, asing membeli'],
    breakout: ['Near the 52-week high on volume', 'Dekat puncak 52 minggu, volume naik'],
    accumulation: ['Institutions buy, retail sells', 'Institusi membeli, ritel menjual'],
    pullback: ['A pullback in an uptrend', 'Jeda dalam tren naik'],
  },
  options: ['What may stand here', 'Yang dapat ditulis di sini'],
  unfinished: ['The rules are not finished.', 'Aturan belum selesai.'],
  counting: ['Counting …', 'Menghitung …'],
  pass: (matched: string, screened: string, on: string) => [
    `${matched} of ${screened} pass on ${on}`,
    `${matched} dari ${screened} lolos pada ${on}`,
  ],
  looksBack: [
    'These rules look at other days too: run them to count.',
    'Aturan ini juga melihat hari lain: jalankan untuk menghitungnya.',
  ],
  knownElsewhere: [
    'Run them to count: only the server knows their stocks or fields.',
    'Jalankan untuk menghitung: saham atau kolomnya hanya diketahui server.',
  ],
  countedByRunning: [
    'Nothing can be counted while you type. Run the rules instead.',
    'Saat ini tidak dapat dihitung sambil mengetik. Jalankan aturannya.',
  ],
  spread: (on: string, lowest: string, highest: string, median: string) => [
    `ranges from ${lowest} to ${highest} on ${on}; the median is ${median}.`,
    `berkisar dari ${lowest} hingga ${highest} pada ${on}; mediannya ${median}.`,
  ],
  among: ['Look among', 'Cari di antara'],
  kinds: {
    all: ['All stocks', 'Semua saham'],
    sector: ['A sector', 'Satu sektor'],
    tickers: ['Tickers', 'Kode saham'],
    watchlist: ['A watchlist', 'Daftar pantau'],
  },
  tickersHint: [
    'Separated by commas. universe:LQ45 stands for the stocks of that index.',
    'Dipisahkan koma. universe:LQ45 berarti saham-saham indeks itu.',
  ],
  noneToChoose: ['There is none to choose.', 'Tidak ada yang dapat dipilih.'],
  asOf: ['As of', 'Per tanggal'],
  asOfHint: [
    'Nothing later counts. Without a day, the newest one.',
    'Data sesudahnya tidak dihitung. Tanpa tanggal, hari terbaru.',
  ],
  running: ['Running …', 'Berjalan …'],
  fields: ['Fields', 'Kolom data'],
  searchFields: ['Search fields', 'Cari kolom data'],
  found: (found: string, all: string) => [
    `${found} of ${all} fields. Arrow keys move among them.`,
    `${found} dari ${all} kolom data. Tombol panah berpindah di antaranya.`,
  ],
  field: ['Field', 'Kolom'],
  meaning: ['Meaning', 'Arti'],
  insert: (name: string) => [`Insert ${name}`, `Sisipkan ${name}`],
  oneOf: (values: string) => [`One of: ${values}`, `Salah satu dari: ${values}`],
  whenNull: (meaning: string) => [`Null: ${meaning}`, `Kosong: ${meaning}`],
  units: {
    idr_per_share: ['IDR per share', 'rupiah per saham'],
    idr: ['IDR', 'rupiah'],
    shares: ['shares', 'saham'],
    percent: ['percent', 'persen'],
    points: ['points', 'poin'],
    times: ['times', 'kali'],
    days: ['trading days', 'hari bursa'],
    count: ['number', 'jumlah'],
  },
  readOut: (matched: string, screened: string) => [
    `${matched} of ${screened} stocks pass.`,
    `${matched} dari ${screened} saham lolos.`,
  ],
});
