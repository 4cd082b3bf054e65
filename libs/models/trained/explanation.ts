import { Localised } from '#foundation/text/localised.ts';
import { ENTRY_SPREAD_PCT } from '#quant/labels/entry.ts';

/** The explanation of the probability that every learning model shows. */
export const PROBABILITY_TEXT = new Localised(
  'Skor probabilitas adalah peluang bahwa dua puluh transaksi dengan peluang menang saham ini memuat lebih banyak pemenang daripada dua puluh transaksi pada tingkat dasar, seri dibagi dua: 50 berarti setara rata-rata saham likuid. Peluang menangnya sendiri ada pada win_chance_pct dan tingkat dasarnya pada base_rate_pct.',
  'The probability score is the chance that twenty trades with this stock’s chance of winning hold more winners than twenty trades at the base rate, ties split in two: 50 is as likely as the average liquid stock. The chance of winning itself is in win_chance_pct, and the base rate in base_rate_pct.',
);

/** The explanation of how a position is opened that every learning model shows. */
export const ENTRY_TEXT = new Localised(
  `Hasil keluar setelah penutupan, jadi semua angka menganggap pembelian dengan order beli pada hari bursa berikutnya, paling tinggi ${ENTRY_SPREAD_PCT} persen di atas penutupan (entry_high). Saham yang ditutup pada batas atas harga hariannya tidak dipilih.`,
  `Results come after the close, so that all figures assume a purchase by an order of the next trading day, at most ${ENTRY_SPREAD_PCT} percent above the close (entry_high). A stock that closed at the upper limit of its day is not picked.`,
);
