import { inLanguages } from './in-languages.ts';

export const words = inLanguages({
  en: {
    title: 'Runs by day',
    day: 'Day',
    runs: 'Runs',
    succeeded: 'Succeeded',
    failed: 'Failed',
    others: 'Others',
    average: 'Average duration',
    nothing: 'Nothing was run in this time.',
  },
  id: {
    title: 'Perhitungan per hari',
    day: 'Hari',
    runs: 'Perhitungan',
    succeeded: 'Berhasil',
    failed: 'Gagal',
    others: 'Lainnya',
    average: 'Lama rata-rata',
    nothing: 'Tidak ada perhitungan dalam waktu ini.',
  },
});
