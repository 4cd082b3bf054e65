import { inLanguages } from '#console/words/in-languages.ts';

export const say = inLanguages({
  title: ['Webhooks', 'Webhook'],
  intro: [
    'Addresses of your application to which events of this key are sent as they happen.',
    'Alamat aplikasi Anda yang menerima peristiwa kunci ini begitu terjadi.',
  ],
  none: ['This key has no webhook yet.', 'Kunci ini belum punya webhook.'],
  url: ['Address', 'Alamat'],
  urlHint: [
    'With https, on a public address. It gets a signed POST for each event.',
    'Dengan https, di alamat publik. Setiap peristiwa dikirim sebagai POST yang ditandatangani.',
  ],
  types: ['Events', 'Peristiwa'],
  typesHint: [
    'Types separated by commas, such as run.succeeded, run.failed. Every type if empty.',
    'Jenis dipisahkan koma, misalnya run.succeeded, run.failed. Semua jenis jika kosong.',
  ],
  all: ['all', 'semua'],
  description: ['Note', 'Catatan'],
  states: {
    working: ['working', 'berfungsi'],
    failing: ['failing', 'gagal'],
    disabled: ['disabled', 'dimatikan'],
  },
  reasons: {
    requested: ['on request', 'atas permintaan'],
    gone: ['the endpoint answered 410', 'penerima menjawab 410'],
    failing: ['it failed for five days', 'gagal selama lima hari'],
  },
  failures: (count: string, since: string) => [
    `${count} failures since ${since}`,
    `${count} kali gagal sejak ${since}`,
  ],
  next: ['Next attempt', 'Percobaan berikutnya'],
  create: ['Create', 'Buat'],
  creation: ['A new webhook', 'Webhook baru'],
  secret: ['Its secret, which is shown only now', 'Rahasianya, yang hanya ditampilkan sekarang'],
  test: ['Send a test', 'Kirim uji coba'],
  enable: ['Enable', 'Nyalakan'],
  disable: ['Disable', 'Matikan'],
  reallyDelete: ['Delete this webhook with its deliveries?', 'Hapus webhook ini beserta pengirimannya?'],
  keep: ['Keep', 'Pertahankan'],
  deliveries: ['Last deliveries', 'Pengiriman terakhir'],
  noDeliveries: ['Nothing was sent yet.', 'Belum ada yang dikirim.'],
  created: ['Created', 'Dibuat'],
  event: ['Event', 'Peristiwa'],
  deliveryStates: {
    waiting: ['waits', 'menunggu'],
    delivered: ['delivered', 'terkirim'],
    failed: ['failed', 'gagal'],
  },
  attempts: ['Attempts', 'Percobaan'],
  answer: ['Last answer', 'Jawaban terakhir'],
  again: ['Send again', 'Kirim lagi'],
  sendAgain: (id: string) => [`Send again: ${id}`, `Kirim lagi: ${id}`],
  refresh: ['Refresh', 'Muat ulang'],
});
