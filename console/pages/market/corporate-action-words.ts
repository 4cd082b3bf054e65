import { inLanguages } from '#console/words/in-languages.ts';

export const say = inLanguages({
  title: ['Corporate actions', 'Aksi korporasi'],
  caption: (ticker: string) => [`Corporate actions of ${ticker}`, `Aksi korporasi ${ticker}`],
  none: [
    'None: no source states an action of this stock, and its prices show none.',
    'Tidak ada: tidak ada sumber yang menyatakan aksi saham ini, dan harganya tidak menunjukkannya.',
  ],
  all: ['Show all', 'Tampilkan semua'],
  exDate: ['Ex-day', 'Tanggal ex'],
  kind: ['Kind', 'Jenis'],
  terms: ['Terms', 'Ketentuan'],
  earlierPrices: ['Earlier prices', 'Harga sebelumnya'],
  knownSince: ['Known since', 'Diketahui sejak'],
  state: ['State', 'Status'],
  kinds: {
    split: ['Split', 'Pemecahan saham'],
    reverse_split: ['Reverse split', 'Penggabungan saham'],
    bonus: ['Bonus shares', 'Saham bonus'],
    rights: ['Rights', 'HMETD'],
    dividend: ['Dividend', 'Dividen'],
    ticker_change: ['New ticker', 'Kode baru'],
    suspension: ['Suspension', 'Suspensi'],
    resumption: ['Trading again', 'Diperdagangkan lagi'],
    board_move: ['Move to another board', 'Pindah papan'],
    delisting: ['Delisting', 'Penghapusan pencatatan'],
    index_membership: ['Index', 'Indeks'],
    sharia_list: ['Sharia list', 'Daftar efek syariah'],
    unexplained: ['Unexplained change of the reference price', 'Perubahan harga acuan tanpa penjelasan'],
  },
  nothing: ['nothing happened', 'tidak terjadi apa-apa'],
  sharesForOne: (shares: string) => [
    `${shares} shares for 1 before`,
    `${shares} saham untuk 1 saham sebelumnya`,
  ],
  oneShareFor: (shares: string) => [
    `1 share for ${shares} before`,
    `1 saham untuk ${shares} saham sebelumnya`,
  ],
  newShareFor: (idr: string) => [`a new share for ${idr}`, `saham baru seharga ${idr}`],
  aShare: (idr: string) => [`${idr} a share, before tax`, `${idr} per saham, sebelum pajak`],
  newTicker: (ticker: string) => [`now ${ticker}`, `kini ${ticker}`],
  memberships: { joined: ['joined', 'masuk'], left: ['left', 'keluar'] },
  states: {
    detected: {
      name: ['Detected', 'Terdeteksi'],
      meaning: [
        'in the reference price; no table states it',
        'dari harga acuan; tidak ada tabel yang menyatakannya',
      ],
    },
    confirmed: {
      name: ['Confirmed', 'Dikonfirmasi'],
      meaning: [
        'the table states what the reference price shows',
        'tabel menyatakan apa yang ditunjukkan harga acuan',
      ],
    },
    overruled: {
      name: ['Overruled', 'Digugurkan'],
      meaning: [
        'the table says otherwise, so it changes no price',
        'tabel menyatakan lain, sehingga tidak mengubah harga',
      ],
    },
    stated: { name: ['Stated', 'Dinyatakan'], meaning: ['by the table alone', 'hanya oleh tabel'] },
  },
});
