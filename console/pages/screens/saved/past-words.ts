import { inLanguages } from '#console/words/in-languages.ts';

export const say = inLanguages({
  title: ['What its picks became', 'Hasil pilihannya'],
  ofRules: [
    'Runs the saved rules as of every trading day of a span, and follows each pick to its end.',
    'Menjalankan aturan yang tersimpan per setiap hari bursa dalam suatu rentang, dan mengikuti setiap pilihan sampai selesai.',
  ],
  ofModel: [
    'Takes the picks of a finished backfill of the model, and follows each to its end.',
    'Mengambil pilihan dari backfill model yang sudah selesai, dan mengikuti masing-masing sampai selesai.',
  ],
  countsAsTrial: [
    'Each distinct screen that you judge counts as a trial, and makes the next one harder to believe.',
    'Setiap penyaring berbeda yang dinilai dihitung sebagai percobaan, dan membuat yang berikutnya lebih sulit dipercaya.',
  ],
  ofBackfill: {
    day: ['Picks of each day, of the backfill', 'Pilihan setiap hari, dari backfill'],
    week: ['Picks of each week, of the backfill', 'Pilihan setiap minggu, dari backfill'],
  },
  simulate: ['What they would have meant for somebody’s money', 'Apa artinya bagi uang seseorang'],
  judge: ['Judge', 'Nilai'],
  held: (target: string, stop: string, days: number) => [
    `Each pick is bought on the next day and sold ${target} above the close of its day, ${stop} below it, or after ${days} trading days. Returns are after fees and tax.`,
    `Setiap pilihan dibeli pada hari berikutnya dan dijual ${target} di atas harga penutupan harinya, ${stop} di bawahnya, atau setelah ${days} hari bursa. Imbal hasil sudah dikurangi biaya dan pajak.`,
  ],
  onDays: (withPicks: string, all: string) => [
    `on ${withPicks} of ${all} days`,
    `pada ${withPicks} dari ${all} hari`,
  ],
  baseRate: (share: string) => [`all liquid stocks: ${share}`, `semua saham likuid: ${share}`],
  lift: ['Lift', 'Lift'],
  netReturn: ['Net return', 'Imbal hasil bersih'],
  excess: ['More than all liquid stocks', 'Selisih dari semua saham likuid'],
  perPick: ['per pick; 95 % interval', 'per pilihan; selang 95 %'],
  choices: (draws: string) => [`of ${draws} random choices`, `dari ${draws} pilihan acak`],
  noChoices: ['no random choice could buy anything', 'tidak ada pilihan acak yang dapat membeli'],
  byYear: ['By year', 'Per tahun'],
  byRegime: ['By market regime', 'Per kondisi pasar'],
  regimes: { BULL: ['Bull', 'Bull'], SIDEWAYS: ['Sideways', 'Sideways'], BEAR: ['Bear', 'Bear'] },
  open: (days: string, to: string) => [
    `The picks of ${days} trading days after ${to} are still open.`,
    `Pilihan dari ${days} hari bursa sesudah ${to} belum selesai.`,
  ],
});
