import { inLanguages } from '../words/in-languages.ts';

export const say = inLanguages({
  skip: ['Skip to content', 'Langsung ke isi'],
  pages: ['Pages', 'Halaman'],
  names: {
    picks: ['Picks', 'Pilihan'],
    run: ['Run a model', 'Jalankan model'],
    market: ['Market', 'Pasar'],
    stocks: ['Stocks', 'Saham'],
    screens: ['Screens', 'Penyaring'],
    simulations: ['Simulations', 'Simulasi'],
    flows: ['Flows', 'Aliran dana'],
    record: ['Record', 'Rekam jejak'],
    usage: ['Usage', 'Pemakaian'],
    webhooks: ['Webhooks', 'Webhook'],
    fleet: ['Fleet', 'Armada'],
    datasets: ['Data', 'Data'],
    keys: ['Keys', 'Kunci'],
    schedules: ['Schedules', 'Jadwal'],
    'all-usage': ['Usage by key', 'Pemakaian per kunci'],
  },
  api: ['API reference', 'Referensi API'],
  signOut: ['Sign out', 'Keluar'],
  findStock: ['Find a stock', 'Cari saham'],
  shortcuts: ['Keyboard', 'Papan ketik'],
  /** What each key does, in the order in which the list has them. */
  keys: {
    '/': ['find a stock by ticker or name', 'cari saham menurut kode atau nama'],
    j: ['next row of a table', 'baris tabel berikutnya'],
    k: ['previous row', 'baris sebelumnya'],
    'Home, End': [
      'first and last row of a long table, from one of its rows',
      'baris pertama dan terakhir tabel panjang, dari salah satu barisnya',
    ],
    Enter: ['open the row', 'buka baris'],
    '?': ['this list', 'daftar ini'],
  },
  close: ['Close', 'Tutup'],
  toDark: ['Dark theme', 'Tema gelap'],
  toLight: ['Light theme', 'Tema terang'],
  otherLanguage: ['Bahasa Indonesia', 'English'],
  requestsLeft: (left: number, limit: number) => [
    `${left} of ${limit} requests left this minute`,
    `sisa ${left} dari ${limit} permintaan menit ini`,
  ],
  noAdvice: [
    'Nothing here is a recommendation to buy or sell.',
    'Tidak ada yang di sini merupakan rekomendasi untuk membeli atau menjual.',
  ],
  synthetic: [
    'This market is generated: no real stock is meant.',
    'Pasar ini buatan: tidak ada saham sungguhan yang dimaksud.',
  ],
  syntheticBrokers: ['The broker rows of this market are made up.', 'Data broker pasar ini buatan.'],
  testMarket: [
    'Your key is a test key: this market is generated, always the same, and no real stock is meant.',
    'Kunci Anda adalah kunci uji: pasar ini buatan, selalu sama, dan tidak ada saham sungguhan yang dimaksud.',
  ],
  daysMissing: (asOf: string, count: number, since: string) => [
    `The data ends on ${asOf}: ${count === 1 ? 'one trading day is' : `${count} trading days are`} missing, since ${since}.`,
    `Data berakhir pada ${asOf}: ${count} hari bursa belum ada, sejak ${since}.`,
  ],
  holes: (count: number, days: string) => [
    `${count === 1 ? 'One trading day has no data' : `${count} trading days have no data`} (${days}): values that reach across such a day are empty.`,
    `${count} hari bursa tidak memiliki data (${days}): nilai yang melintasi hari itu kosong.`,
  ],
  unlistedYear: (year: number) => [
    `The closures of the exchange in ${year} are not listed yet: every weekday counts as a trading day.`,
    `Hari libur bursa tahun ${year} belum tercatat: setiap hari kerja dianggap hari bursa.`,
  ],
  dayPartial: (partial: string) => [
    `${partial} is partial: only few stocks have data.`,
    `${partial} belum lengkap: baru sedikit saham yang datanya ada.`,
  ],
  unknownPage: ['There is no such page.', 'Halaman itu tidak ada.'],
  linkSpent: [
    'This sign-in link has been used or has expired. You are still signed in as before.',
    'Tautan masuk ini sudah dipakai atau kedaluwarsa. Anda tetap masuk seperti sebelumnya.',
  ],
});

export type PageName = keyof (typeof say)['names'];
