import { inLanguages } from '#console/words/in-languages.ts';

export const words = inLanguages({
  en: {
    title: 'How the picks turned out',
    intro:
      'Every pick is written down when it is made, sealed, and judged by what came afterwards. Nothing here can be improved later. A pick counts five trading days after its horizon, when it must have been sold.',
    daily: 'Runs of the operator, once per trading day',
    own: 'Runs of your key',
    nothingRecorded:
      'No pick is on record yet. It will show how often the picks of each model reached their target, how often other stocks did, and what a pick returned.',
    nothingJudged: (open: string) =>
      `${open} picks are on record, and none counts yet: each does five trading days after its horizon. From then on it shows how often the picks of each model reached their target, how often other stocks did, and what a pick returned.`,
    nothingYet: (open: string) =>
      `Nothing can be judged yet. Picks that wait for the fifth trading day after their horizon: ${open}.`,
    noPicks: 'It has no pick on record that counts.',
    sentence: (filled: string, wins: string, rate: string, base: string) =>
      `Of ${filled} picks that could be bought, ${wins} reached the target before the stop: ${rate}. Among all stocks that could have been picked on the same days it was ${base}.`,
    better: (times: string, low: string, high: string) =>
      `That is ${times} times as often (95%: ${low} to ${high}): better than chance.`,
    worse: (times: string, low: string, high: string) =>
      `That is ${times} times as often (95%: ${low} to ${high}): worse than chance.`,
    notTold: (times: string, low: string, high: string) =>
      `That is ${times} times as often (95%: ${low} to ${high}). The interval contains 1: it cannot be told from chance.`,
    tooFew: 'These are too few to compare with chance.',
    notRecorded: 'This model picks nothing, so there is no record of it.',
    lift: 'Lift: how much more often its picks won than other stocks',
    liftNote:
      'With intervals of 95%. At 1 a model is no better than chance, and where its interval contains 1 it has not been shown to be better.',
    upTo: (entry: string) => `the sealed record, up to entry ${entry}`,
    low: 'Low end',
    high: 'High end',
    noLift: 'No model has enough judged picks yet to compare it with chance.',
    model: 'Model',
    runs: 'Runs',
    picks: 'Picks',
    open: 'Open',
    wins: 'Won',
    winRate: 'Won, %',
    baseRate: 'Others, %',
    netReturn: 'Net return, %',
    table: 'The record of every model',
    seal: 'The record ends with entry',
    sealNote: 'Note it: the operator can prove later that nothing before it was changed.',
    quality: 'How a model did on days that it had not seen',
    qualityIntro:
      'Each run of a learning model is tested on days outside its training data. These are the figures of the newest run of your key.',
    auc: 'Separates winners from losers',
    aucNote: '50% is guessing, 100% is always right',
    error: 'How far its chances are off',
    errorNote: 'average distance between the forecast chance and the actual frequency',
    topDecile: 'Its best tenth won',
    everyone: 'All won',
    calibration: 'Calibration: forecast compared with actual frequency',
    calibrationNote:
      'A point on the dashed line came true as often as it was forecast. Larger marks stand for more forecasts. Vertical lines are 95% intervals that treat forecasts as independent; those of one day are not, so the true intervals are wider.',
    forecast: 'Forecast',
    came: 'Won',
    interval: 'Interval',
    forecasts: 'Forecasts',
    noRun: 'Your key has no recent run of this model.',
    runIt: 'Run it',
    month: 'Month',
    byMonth: 'By month',
  },
  id: {
    title: 'Bagaimana hasil pilihannya',
    intro:
      'Setiap pilihan dicatat saat dibuat, disegel, dan dinilai dari apa yang terjadi kemudian. Tidak ada yang dapat diperbaiki belakangan. Sebuah pilihan dihitung lima hari bursa setelah jangkanya habis, saat posisinya pasti sudah dijual.',
    daily: 'Perhitungan operator, sekali setiap hari bursa',
    own: 'Perhitungan kunci Anda',
    noPicks: 'Belum ada pilihannya yang tercatat dan dihitung.',
    nothingRecorded:
      'Belum ada pilihan yang tercatat. Di sini nanti terlihat seberapa sering pilihan tiap model mencapai targetnya, seberapa sering saham lain mencapainya, dan berapa hasil sebuah pilihan.',
    nothingJudged: (open: string) =>
      `${open} pilihan sudah tercatat, dan belum ada yang dihitung: masing-masing dihitung lima hari bursa setelah jangkanya habis. Sejak itu terlihat seberapa sering pilihan tiap model mencapai targetnya, seberapa sering saham lain mencapainya, dan berapa hasil sebuah pilihan.`,
    nothingYet: (open: string) =>
      `Belum ada yang dapat dinilai. Pilihan yang menunggu hari bursa kelima setelah jangkanya habis: ${open}.`,
    sentence: (filled: string, wins: string, rate: string, base: string) =>
      `Dari ${filled} pilihan yang dapat dibeli, ${wins} mencapai target sebelum batas rugi: ${rate}. Di antara semua saham yang dapat dipilih pada hari yang sama angkanya ${base}.`,
    better: (times: string, low: string, high: string) =>
      `Itu ${times} kali sesering saham lain (95%: ${low} sampai ${high}): lebih baik daripada kebetulan.`,
    worse: (times: string, low: string, high: string) =>
      `Itu ${times} kali sesering saham lain (95%: ${low} sampai ${high}): lebih buruk daripada kebetulan.`,
    notTold: (times: string, low: string, high: string) =>
      `Itu ${times} kali sesering saham lain (95%: ${low} sampai ${high}). Selangnya memuat 1: belum dapat dibedakan dari kebetulan.`,
    tooFew: 'Jumlahnya masih terlalu sedikit untuk dibandingkan dengan kebetulan.',
    notRecorded: 'Model ini tidak memilih saham, jadi tidak ada rekam jejaknya.',
    lift: 'Lift: berapa kali lebih sering pilihannya menang daripada saham lain',
    liftNote:
      'Dengan selang 95%. Pada 1 sebuah model tidak lebih baik daripada kebetulan; bila selangnya memuat 1, belum ada yang terbukti.',
    upTo: (entry: string) => `rekam jejak yang disegel, sampai catatan ${entry}`,
    low: 'Ujung bawah',
    high: 'Ujung atas',
    noLift: 'Belum ada model dengan cukup pilihan yang dinilai untuk dibandingkan dengan kebetulan.',
    model: 'Model',
    runs: 'Perhitungan',
    picks: 'Pilihan',
    open: 'Menunggu',
    wins: 'Menang',
    winRate: 'Menang, %',
    baseRate: 'Lainnya, %',
    netReturn: 'Hasil bersih, %',
    table: 'Rekam jejak setiap model',
    seal: 'Rekam jejak berakhir pada catatan',
    sealNote: 'Catatlah: operator kelak dapat membuktikan bahwa tidak ada yang diubah sebelumnya.',
    quality: 'Apa kata model tentang dirinya',
    qualityIntro:
      'Setiap perhitungan model yang belajar diuji pada hari-hari yang tidak ikut dipelajari. Ini angka dari perhitungan terbaru kunci Anda.',
    auc: 'Membedakan pemenang dari yang kalah',
    aucNote: '50% berarti menebak, 100% selalu benar',
    error: 'Seberapa jauh peluangnya meleset',
    errorNote: 'jarak rata-rata antara peluang yang disebut dan yang terjadi',
    topDecile: 'Sepersepuluh terbaiknya menang',
    everyone: 'Semua menang',
    calibration: 'Kalibrasi: seberapa sering yang diperkirakan terjadi',
    calibrationNote:
      'Pada garis putus-putus, perkiraan sekian persen terjadi sesering itu. Tanda yang lebih besar mewakili lebih banyak perkiraan. Garis tegak adalah selang 95% seolah perkiraan saling bebas; yang sehari tidak demikian, jadi selang sebenarnya lebih lebar.',
    forecast: 'Perkiraan',
    came: 'Menang',
    interval: 'Selang',
    forecasts: 'Banyaknya',
    noRun: 'Kunci Anda belum menjalankan model ini baru-baru ini.',
    runIt: 'Jalankan',
    month: 'Bulan',
    byMonth: 'Per bulan',
  },
});
