import { inLanguages } from './english-and-indonesian.ts';

export const shared = inLanguages({
  loading: ['Loading …', 'Memuat …'],
  again: ['Try again', 'Coba lagi'],
  refused: ['Some values are not accepted.', 'Beberapa nilai tidak diterima.'],
  asOf: ['as of', 'per'],
  dataset: ['dataset', 'dataset'],
  brokerRows: ['broker rows', 'data broker'],
  asTable: ['As a table', 'Sebagai tabel'],
  ticker: ['Ticker', 'Kode'],
  open: ['Open', 'Pembukaan'],
  high: ['High', 'Tertinggi'],
  low: ['Low', 'Terendah'],
  close: ['Close', 'Penutupan'],
  volume: ['Volume', 'Volume'],
  change: ['Change', 'Perubahan'],
  value: ['Value', 'Nilai'],
  day: ['Day', 'Hari'],
  date: ['Date', 'Tanggal'],
  show: ['Show', 'Tampilkan'],
  table: {
    search: ['Search in this table', 'Cari di tabel ini'],
    columns: ['Columns', 'Kolom'],
    copy: ['Copy', 'Salin'],
    copied: ['Copied', 'Tersalin'],
    csv: ['CSV', 'CSV'],
    pin: ['Pin', 'Sematkan'],
    pinOf: (column: string) => [`Pin ${column}`, `Sematkan ${column}`],
    shown: (shown: string, all: string) => [`${shown} of ${all} rows`, `${shown} dari ${all} baris`],
  },
  /** By the code of the failure. For other codes, the page shows the API's message. */
  failures: {
    network_error: [
      'No answer came from the server. It may be starting, or you are offline.',
      'Server tidak menjawab. Mungkin sedang dinyalakan, atau Anda sedang luring.',
    ],
    timeout: ['The server took too long.', 'Server terlalu lama menjawab.'],
    data_unavailable: ['This data is not available at the moment.', 'Data ini sedang tidak tersedia.'],
    model_unavailable: ['Models cannot run at the moment.', 'Model sedang tidak dapat dijalankan.'],
    usage_unavailable: [
      'The usage history cannot be read at the moment.',
      'Riwayat pemakaian sedang tidak dapat dibaca.',
    ],
    consent_unavailable: [
      'Consent cannot be checked at the moment.',
      'Persetujuan sedang tidak dapat diperiksa.',
    ],
    insufficient_scope: [
      'This key may not do that. Ask for a key with the scope that is named below.',
      'Kunci ini tidak berhak atas hal itu. Mintalah kunci dengan hak yang disebut di bawah.',
    ],
    rate_limited: [
      'This key has used all its requests of the minute. Try again in a moment.',
      'Jatah permintaan kunci ini untuk menit ini sudah habis. Coba lagi sebentar lagi.',
    ],
  },
});
