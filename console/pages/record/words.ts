import { inLanguages } from '#console/words/in-languages.ts';

export const say = inLanguages({
  title: ['How the picks turned out', 'Bagaimana hasil pilihannya'],
  intro: [
    'Every pick is written down when it is made, sealed, and judged by what came afterwards. Nothing here can be improved later. A pick counts five trading days after its horizon, when it must have been sold.',
    'Setiap pilihan dicatat saat dibuat, disegel, dan dinilai dari apa yang terjadi kemudian. Tidak ada yang dapat diperbaiki belakangan. Sebuah pilihan dihitung lima hari bursa setelah jangkanya habis, saat posisinya pasti sudah dijual.',
  ],
  daily: ['Runs of the operator, once per trading day', 'Perhitungan operator, sekali setiap hari bursa'],
  own: ['Runs of your key', 'Perhitungan kunci Anda'],
  nothingRecorded: [
    'No pick is on record yet. It will show how often the picks of each model reached their target, how often other stocks did, and what a pick returned.',
    'Belum ada pilihan yang tercatat. Di sini nanti terlihat seberapa sering pilihan tiap model mencapai targetnya, seberapa sering saham lain mencapainya, dan berapa hasil sebuah pilihan.',
  ],
  nothingJudged: (open: string) => [
    `${open} picks are on record, and none counts yet: each does five trading days after its horizon. From then on it shows how often the picks of each model reached their target, how often other stocks did, and what a pick returned.`,
    `${open} pilihan sudah tercatat, dan belum ada yang dihitung: masing-masing dihitung lima hari bursa setelah jangkanya habis. Sejak itu terlihat seberapa sering pilihan tiap model mencapai targetnya, seberapa sering saham lain mencapainya, dan berapa hasil sebuah pilihan.`,
  ],
  nothingYet: (open: string) => [
    `Nothing can be judged yet. Picks that wait for the fifth trading day after their horizon: ${open}.`,
    `Belum ada yang dapat dinilai. Pilihan yang menunggu hari bursa kelima setelah jangkanya habis: ${open}.`,
  ],
  noPicks: ['It has no pick on record that counts.', 'Belum ada pilihannya yang tercatat dan dihitung.'],
  sentence: (filled: string, wins: string, rate: string, base: string) => [
    `Of ${filled} picks that could be bought, ${wins} reached the target before the stop: ${rate}. Among all stocks that could have been picked on the same days it was ${base}.`,
    `Dari ${filled} pilihan yang dapat dibeli, ${wins} mencapai target sebelum batas rugi: ${rate}. Di antara semua saham yang dapat dipilih pada hari yang sama angkanya ${base}.`,
  ],
  better: (times: string, low: string, high: string) => [
    `That is ${times} times as often (95%: ${low} to ${high}): better than chance.`,
    `Itu ${times} kali sesering saham lain (95%: ${low} sampai ${high}): lebih baik daripada kebetulan.`,
  ],
  worse: (times: string, low: string, high: string) => [
    `That is ${times} times as often (95%: ${low} to ${high}): worse than chance.`,
    `Itu ${times} kali sesering saham lain (95%: ${low} sampai ${high}): lebih buruk daripada kebetulan.`,
  ],
  notTold: (times: string, low: string, high: string) => [
    `That is ${times} times as often (95%: ${low} to ${high}). The interval contains 1: it cannot be told from chance.`,
    `Itu ${times} kali sesering saham lain (95%: ${low} sampai ${high}). Selangnya memuat 1: belum dapat dibedakan dari kebetulan.`,
  ],
  tooFew: [
    'These are too few to compare with chance.',
    'Jumlahnya masih terlalu sedikit untuk dibandingkan dengan kebetulan.',
  ],
  lift: [
    'Lift: how much more often its picks won than other stocks',
    'Lift: berapa kali lebih sering pilihannya menang daripada saham lain',
  ],
  liftNote: [
    'With intervals of 95%. At 1 a model is no better than chance, and where its interval contains 1 it has not been shown to be better.',
    'Dengan selang 95%. Pada 1 sebuah model tidak lebih baik daripada kebetulan; bila selangnya memuat 1, belum ada yang terbukti.',
  ],
  upTo: (entry: string) => [
    `the sealed record, up to entry ${entry}`,
    `rekam jejak yang disegel, sampai catatan ${entry}`,
  ],
  low: ['Low end', 'Ujung bawah'],
  high: ['High end', 'Ujung atas'],
  noLift: [
    'No model has enough judged picks yet to compare it with chance.',
    'Belum ada model dengan cukup pilihan yang dinilai untuk dibandingkan dengan kebetulan.',
  ],
  open: ['Open', 'Menunggu'],
  winRate: ['Won, %', 'Menang, %'],
  baseRate: ['Others, %', 'Lainnya, %'],
  netReturn: ['Net return, %', 'Hasil bersih, %'],
  table: ['The record of every model', 'Rekam jejak setiap model'],
  seal: ['The record ends with entry', 'Rekam jejak berakhir pada catatan'],
  sealNote: [
    'Note it: the operator can prove later that nothing before it was changed.',
    'Catatlah: operator kelak dapat membuktikan bahwa tidak ada yang diubah sebelumnya.',
  ],
  quality: ['How a model did on days that it had not seen', 'Apa kata model tentang dirinya'],
  qualityIntro: [
    'Each run of a learning model is tested on days outside its training data. These are the figures of the newest run of your key.',
    'Setiap perhitungan model yang belajar diuji pada hari-hari yang tidak ikut dipelajari. Ini angka dari perhitungan terbaru kunci Anda.',
  ],
  auc: ['Separates winners from losers', 'Membedakan pemenang dari yang kalah'],
  aucNote: ['50% is guessing, 100% is always right', '50% berarti menebak, 100% selalu benar'],
  error: ['How far its chances are off', 'Seberapa jauh peluangnya meleset'],
  errorNote: [
    'average distance between the forecast chance and the actual frequency',
    'jarak rata-rata antara peluang yang disebut dan yang terjadi',
  ],
  topDecile: ['Its best tenth won', 'Sepersepuluh terbaiknya menang'],
  everyone: ['All won', 'Semua menang'],
  calibration: [
    'Calibration: forecast compared with actual frequency',
    'Kalibrasi: seberapa sering yang diperkirakan terjadi',
  ],
  calibrationNote: [
    'A point on the dashed line came true as often as it was forecast. Larger marks stand for more forecasts. Vertical lines are 95% intervals that treat forecasts as independent; those of one day are not, so the true intervals are wider.',
    'Pada garis putus-putus, perkiraan sekian persen terjadi sesering itu. Tanda yang lebih besar mewakili lebih banyak perkiraan. Garis tegak adalah selang 95% seolah perkiraan saling bebas; yang sehari tidak demikian, jadi selang sebenarnya lebih lebar.',
  ],
  forecast: ['Forecast', 'Perkiraan'],
  interval: ['Interval', 'Selang'],
  forecasts: ['Forecasts', 'Banyaknya'],
  noRun: [
    'Your key has no recent run of this model.',
    'Kunci Anda belum menjalankan model ini baru-baru ini.',
  ],
  runIt: ['Run it', 'Jalankan'],
});
