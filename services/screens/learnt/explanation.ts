import { ENTRY_SPREAD_PCT } from '#quant/labels/entry.ts';

/** What every learning model says of its probability. In Bahasa Indonesia. */
export const PROBABILITY_TEXT =
  'Skor probabilitas adalah peluang bahwa dua puluh transaksi dengan peluang menang saham ini memuat lebih banyak pemenang daripada dua puluh transaksi pada tingkat dasar, seri dibagi dua: 50 berarti setara rata-rata saham likuid. Peluang menangnya sendiri ada pada win_chance_pct dan tingkat dasarnya pada base_rate_pct.';

/** What every learning model says of how a position is opened. In Bahasa Indonesia. */
export const ENTRY_TEXT = `Hasil keluar setelah penutupan, jadi semua angka menganggap pembelian dengan order beli pada hari bursa berikutnya, paling tinggi ${ENTRY_SPREAD_PCT} persen di atas penutupan (entry_high). Saham yang ditutup pada batas atas harga hariannya tidak dipilih.`;
