import { inLanguages } from '#console/words/in-languages.ts';

export const say = inLanguages({
  title: (day: string) => [`Picks for ${day}`, `Pilihan untuk ${day}`],
  waitingTitle: ['Picks of today', 'Pilihan hari ini'],
  model: ['Model F: Combined ML + Signals', 'Model F: gabungan ML dan sinyal'],
  statuses: {
    queued: ['The run waits for a free worker …', 'Menunggu pekerja yang kosong …'],
    running: [
      'Model F learns from the last 500 trading days and ranks every stock …',
      'Model F belajar dari 500 hari bursa terakhir dan mengurutkan semua saham …',
    ],
  },
  table: ['Picks, best first by score', 'Pilihan, terbaik lebih dulu menurut skor'],
  chance: ['Chance to win / usual', 'Peluang menang / biasanya'],
  signals: ['Signals (points)', 'Sinyal (poin)'],
  order: [
    'The list is in the order of the score: the probability and the points of its signals, which lower it where many agree. Neither is a chance.',
    'Daftar ini diurutkan menurut skor: probabilitas ditambah poin sinyalnya, yang mengurangi skor bila banyak sinyal searah. Keduanya bukan peluang.',
  ],
  entry: ['Entry', 'Masuk'],
  stop: ['Stop', 'Batas rugi'],
  target: ['Target', 'Target'],
  chart: (ticker: string) => [
    `${ticker}, daily candles and volume with entry, stop and target`,
    `${ticker}, grafik harian dan volume dengan harga masuk, batas rugi, dan target`,
  ],
  nothing: [
    'No stock met the conditions of model F on this day. That is a valid result.',
    'Tidak ada saham yang memenuhi syarat model F pada hari ini. Itu hasil yang sah.',
  ],
  ended: (status: string) => [
    `The run has ${status === 'failed' ? 'failed' : 'been interrupted'}.`,
    `Perhitungan ${status === 'failed' ? 'gagal' : 'terputus'}.`,
  ],
  again: ['Run again', 'Hitung lagi'],
  change: ['Change settings', 'Ubah setelan'],
  select: (ticker: string) => [`Show ${ticker}`, `Tampilkan ${ticker}`],
  record: ['How the picks of this model turned out', 'Bagaimana hasil pilihan model ini'],
  details: ['All about this stock', 'Semua tentang saham ini'],
});
