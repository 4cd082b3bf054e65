import { inLanguages } from '#console/words/in-languages.ts';

export const say = inLanguages({
  title: (day: string) => [`The market on ${day}`, `Pasar pada ${day}`],
  waitingTitle: ['The market', 'Pasar'],
  find: ['Look at a stock', 'Lihat suatu saham'],
  partial: ['This day may still be incomplete.', 'Hari ini mungkin belum lengkap.'],
  regimeScore: ['score from -100 to 100', 'skor dari -100 sampai 100'],
  advancing: ['Rising', 'Naik'],
  declining: ['Falling', 'Turun'],
  unchanged: ['Unchanged', 'Tetap'],
  aboveMa20: ['Above their 20-day average', 'Di atas rata-rata 20 hari'],
  averageReturn: ['Average change', 'Perubahan rata-rata'],
  averageRsi: ['Average RSI', 'RSI rata-rata'],
  foreignNet: ['Net buying by foreigners', 'Beli bersih asing'],
  traded: ['Value traded', 'Nilai transaksi'],
  liquid: (liquid: string, all: string) => [
    `${liquid} liquid of ${all} stocks`,
    `${liquid} likuid dari ${all} saham`,
  ],
  breadth: ['How many rose and fell', 'Berapa yang naik dan turun'],
  gainers: ['Rose most', 'Naik terbanyak'],
  losers: ['Fell most', 'Turun terbanyak'],
  overview: ['Back to the market', 'Kembali ke pasar'],
  chart: (ticker: string, days: number) => [
    `${ticker}, candles of ${days} trading days with averages`,
    `${ticker}, grafik ${days} hari bursa dengan rata-rata`,
  ],
  average: (days: number) => [`${days}-day average`, `Rata-rata ${days} hari`],
  namedBy: [
    'Models that pick it, and screens it is in',
    'Model yang memilihnya, dan penyaring yang memuatnya',
  ],
  noResults: [
    'No model has run on this day yet. The operator’s daily runs come here.',
    'Belum ada model yang berjalan untuk hari ini. Hasil harian operator tampil di sini.',
  ],
  inNoScreen: ['It is in no screen of yours.', 'Tidak ada penyaring Anda yang memuatnya.'],
  inScreens: ['Screens it is in:', 'Penyaring yang memuatnya:'],
  picked: ['Picked', 'Terpilih'],
  notJudged: ['not judged', 'tidak dinilai'],
  compare: ['Compared with other stocks', 'Dibandingkan dengan saham lain'],
  compareWith: ['Compare with', 'Bandingkan dengan'],
  unknown: (tickers: string) => [
    `No stock has this code: ${tickers}.`,
    `Tidak ada saham dengan kode ini: ${tickers}.`,
  ],
  compared: (days: string) => [
    `Compared over ${days} trading days`,
    `Dibandingkan selama ${days} hari bursa`,
  ],
  perDay: ['Traded per day', 'Nilai per hari'],
  foreignNetShort: ['Net buying by foreigners', 'Beli bersih asing'],
  bandarNetShort: ['Net buying by local institutions', 'Beli bersih institusi lokal'],
  lastDays: (days: string) => [`${days} days`, `${days} hari`],
  netSince: (since: string) => [`Net buying since ${since}`, `Beli bersih sejak ${since}`],
  prices: ['Prices', 'Harga'],
  adjustments: {
    true: ['Adjusted for splits', 'Disesuaikan untuk pemecahan'],
    total: ['Dividends reinvested', 'Dividen diinvestasikan kembali'],
    false: ['As published', 'Seperti diterbitkan'],
  },
  asPublished: [
    'As the exchange published them: a split looks like a fall.',
    'Seperti diterbitkan bursa: pemecahan saham tampak seperti penurunan.',
  ],
  reinvested: (days: number, shown: string) => [
    days === 0
      ? 'The table of corporate actions has no dividend of this stock, so it counts as one that paid none.'
      : `Earlier prices are lowered as if each dividend had been reinvested on its ex-day. Ex-days known: ${shown}.`,
    days === 0
      ? 'Tabel aksi korporasi tidak memuat dividen saham ini, sehingga dianggap tidak membayar dividen.'
      : `Harga sebelumnya diturunkan seakan setiap dividen diinvestasikan kembali pada tanggal ex. Tanggal ex yang diketahui: ${shown}.`,
  ],
  notTraded: (day: string) => [
    `It did not trade on the last day; its last trade was on ${day}.`,
    `Tidak diperdagangkan pada hari terakhir; transaksi terakhirnya pada ${day}.`,
  ],
  indicators: ['Indicators', 'Indikator'],
  indicatorNames: {
    rsi14: ['RSI, 14 days', 'RSI 14 hari'],
    dist_ma20_pct: ['Against its 20-day average, %', 'Terhadap rata-rata 20 hari, %'],
    dist_ma50_pct: ['Against its 50-day average, %', 'Terhadap rata-rata 50 hari, %'],
    ret_5d_pct: ['Return over 5 days, %', 'Perubahan 5 hari, %'],
    ret_20d_pct: ['Return over 20 days, %', 'Perubahan 20 hari, %'],
    volume_ratio_20: ['Volume against its 20-day average', 'Volume terhadap rata-rata 20 hari'],
    atr14_pct: ['Average true range, 14 days, %', 'Rentang rata-rata 14 hari, %'],
    dist_52w_high_pct: ['Against its 52-week high, %', 'Terhadap puncak 52 minggu, %'],
    macd_hist: ['MACD histogram, IDR', 'Histogram MACD, rupiah'],
    stoch_k: ['Stochastic %K', 'Stochastic %K'],
  },
  turning: ['Turning point', 'Titik balik'],
  signal: ['Signal', 'Sinyal'],
  flow: (days: number) => [
    `Who bought and sold in ${days} trading days, net`,
    `Siapa membeli dan menjual dalam ${days} hari bursa, bersih`,
  ],
  noBrokerRows: [
    'The dataset has no broker rows of this stock in this time.',
    'Dataset tidak memuat data broker saham ini dalam waktu tersebut.',
  ],
  foreign: ['Foreign brokers', 'Broker asing'],
  retail: ['Retail brokers', 'Broker ritel'],
  bandar: ['Local institutions', 'Institusi lokal'],
  bought: ['Bought', 'Beli'],
  sold: ['Sold', 'Jual'],
  byClass: ['Net buying by class of broker, day by day', 'Beli bersih per kelompok broker, hari demi hari'],
  timeline: (broker: string, ticker: string) => [
    `What ${broker} bought and sold of ${ticker} by day`,
    `Beli dan jual ${broker} atas ${ticker} per hari`,
  ],
  streak: (side: string, days: number, since: string) => [
    days === 1 ? `${side} on ${since} alone` : `${side} for ${days} days, since ${since}`,
    days === 1 ? `${side} pada ${since} saja` : `${side} selama ${days} hari, sejak ${since}`,
  ],
  cutStreak: (side: string, days: number, since: string) => [
    `${side}, begun before the days shown: ${days === 1 ? '1 day' : `${days} days`} from ${since} on`,
    `${side}, dimulai sebelum hari yang ditampilkan: ${days} hari mulai ${since}`,
  ],
  sides: {
    ACCUMULATION: ['Accumulation', 'Akumulasi'],
    DISTRIBUTION: ['Distribution', 'Distribusi'],
    NONE: ['No streak', 'Tidak ada rentetan'],
  },
  negoTitle: ['Negotiated trades', 'Transaksi negosiasi'],
  nego: [
    'Premium of negotiated trades over the close, by day',
    'Selisih transaksi negosiasi terhadap penutupan, per hari',
  ],
  negoHint: [
    'Larger marks are larger values. Above zero the block traded above the close.',
    'Tanda yang lebih besar berarti nilai lebih besar. Di atas nol berarti di atas penutupan.',
  ],
  premium: ['Premium', 'Selisih'],
  deals: ['Deals', 'Transaksi'],
  average_price: ['Average price', 'Harga rata-rata'],
  noNego: [
    'Nothing was traded in the negotiated market in this time.',
    'Tidak ada transaksi di pasar negosiasi dalam waktu ini.',
  ],
});
