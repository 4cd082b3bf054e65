import type { Job } from '#gateway/client/index.ts';
import { inLanguages } from '#console/words/in-languages.ts';

/** What is known of the worth of a model's picks. */
type Worth = NonNullable<Job['evidence']>;

export const words = inLanguages({
  en: {
    title: (day: string) => `Picks for ${day}`,
    waitingTitle: 'Picks of today',
    model: 'Model F: Combined ML + Signals',
    statuses: {
      queued: 'The run waits for a free worker …',
      running: 'Model F learns from the last 500 trading days and ranks every stock …',
    },
    table: 'Picks, best first by score',
    close: 'Close',
    rank: 'Rank',
    chance: 'Chance to win / usual',
    score: 'Score',
    probability: 'Probability',
    signals: 'Signals (points)',
    order:
      'The list is in the order of the score: the probability and the points of its signals, which lower it where many agree. Neither is a chance.',
    entry: 'Entry',
    stop: 'Stop',
    target: 'Target',
    chart: (ticker: string) => `${ticker}, daily candles and volume with entry, stop and target`,
    worth: ({ value, low, high, from, to, verdict }: Worth) =>
      `On the real market, ${from} to ${to}, a pick of this model returned ${value} % more than the average stock after costs (95 %: ${low} to ${high}): ${{ better_than_chance: 'better than chance', not_shown: 'not shown to be better than chance', worse: 'worse than chance' }[verdict]}.`,
    nothing: 'No stock met the conditions of model F on this day. That is a valid result.',
    ended: (status: string) => `The run has ${status === 'failed' ? 'failed' : 'been interrupted'}.`,
    again: 'Run again',
    change: 'Change settings',
    select: (ticker: string) => `Show ${ticker}`,
    record: 'How the picks of this model turned out',
    details: 'All about this stock',
    quality: 'On days it had not learnt from',
    winRate: 'of such picks won',
    candidates: (n: string) => `of ${n} picks`,
  },
  id: {
    title: (day: string) => `Pilihan untuk ${day}`,
    waitingTitle: 'Pilihan hari ini',
    model: 'Model F: gabungan ML dan sinyal',
    statuses: {
      queued: 'Menunggu pekerja yang kosong …',
      running: 'Model F belajar dari 500 hari bursa terakhir dan mengurutkan semua saham …',
    },
    table: 'Pilihan, terbaik lebih dulu menurut skor',
    close: 'Penutupan',
    rank: 'Peringkat',
    chance: 'Peluang menang / biasanya',
    score: 'Skor',
    probability: 'Probabilitas',
    signals: 'Sinyal (poin)',
    order:
      'Daftar ini diurutkan menurut skor: probabilitas ditambah poin sinyalnya, yang mengurangi skor bila banyak sinyal searah. Keduanya bukan peluang.',
    entry: 'Masuk',
    stop: 'Batas rugi',
    target: 'Target',
    chart: (ticker: string) =>
      `${ticker}, grafik harian dan volume dengan harga masuk, batas rugi, dan target`,
    worth: ({ value, low, high, from, to, verdict }: Worth) =>
      `Di pasar nyata, ${from} sampai ${to}, satu pilihan model ini menghasilkan ${value}% lebih banyak daripada saham rata-rata setelah biaya (95%: ${low} sampai ${high}): ${{ better_than_chance: 'lebih baik daripada kebetulan', not_shown: 'belum terbukti lebih baik daripada kebetulan', worse: 'lebih buruk daripada kebetulan' }[verdict]}.`,
    nothing: 'Tidak ada saham yang memenuhi syarat model F pada hari ini. Itu hasil yang sah.',
    ended: (status: string) => `Perhitungan ${status === 'failed' ? 'gagal' : 'terputus'}.`,
    again: 'Hitung lagi',
    change: 'Ubah setelan',
    select: (ticker: string) => `Tampilkan ${ticker}`,
    record: 'Bagaimana hasil pilihan model ini',
    details: 'Semua tentang saham ini',
    quality: 'Pada hari yang tidak ikut dipelajari',
    winRate: 'pilihan seperti ini menang',
    candidates: (n: string) => `dari ${n} pilihan`,
  },
});
