import { inLanguages } from '#console/words/in-languages.ts';

export const words = inLanguages({
  en: {
    title: 'Usage by key',
    over: 'Over',
    whiles: (days: number) => `${days} days`,
    byKey: 'Runs by key',
    key: 'Key',
    deleted: 'deleted',
    runs: 'Runs',
    succeeded: 'Succeeded',
    failed: 'Failed',
    endUsers: 'End users',
    lastRun: 'Last run',
    source: 'usage ledger, every key and channel',
    nothing: 'Nothing was run.',
  },
  id: {
    title: 'Pemakaian per kunci',
    over: 'Selama',
    whiles: (days: number) => `${days} hari`,
    byKey: 'Perhitungan per kunci',
    key: 'Kunci',
    deleted: 'dihapus',
    runs: 'Perhitungan',
    succeeded: 'Berhasil',
    failed: 'Gagal',
    endUsers: 'Pengguna',
    lastRun: 'Perhitungan terakhir',
    source: 'catatan pemakaian, semua kunci dan saluran',
    nothing: 'Tidak ada perhitungan.',
  },
});
