import { Localised } from '#foundation/text/localised.ts';
import { ENTRY_TEXT, PROBABILITY_TEXT } from '../trained/explanation.ts';
import { defineModel, LOW_FLOORS, type Model } from '../model/model.ts';
import { grossBrokerNeeds, HORIZON_DAYS } from './broker-needs.ts';
import { ID, VERSION, params, daysNeeded } from './params.ts';

export const grossAlpha: Model = defineModel({
  id: ID,
  name: 'Model C: General Purpose',
  category: 'swing',
  version: VERSION,
  params,
  views: ['full'],
  explanation: {
    what: new Localised(
      `Model C menilai momentum dari transaksi kotor tiap broker: siapa yang membeli, seberapa terpusat, dan apakah ritel berada di sisi yang berlawanan. Pembelian dan penjualan dilihat terpisah sebelum saling dikurangkan, lalu dipelajari bersama data harga dan volume. Model dilatih ulang pada setiap perhitungan untuk memperkirakan saham mana yang mencapai target sebelum batas kerugian dalam 20 hari bursa. ${PROBABILITY_TEXT.in.id} ${ENTRY_TEXT.in.id} Saham diurutkan menurut skor, yaitu 70 persen probabilitas dan 30 persen kekuatan beli kelompok broker yang dipilih dibandingkan saham lain pada hari itu.`,
      `Model C measures momentum in the gross trades of each broker: who buys, how concentrated the buying is, and whether retail brokers are on the other side. It considers purchases and sales separately, before netting, together with price and volume. The model is retrained in each run to estimate which stocks reach their target before their stop within 20 trading days. ${PROBABILITY_TEXT.in.en} ${ENTRY_TEXT.in.en} Stocks are ranked by a score: 70 percent probability, and 30 percent how strongly the chosen group of brokers buys compared with other stocks on that day.`,
    ),
    when: new Localised(
      'Cocok sebagai penyaring umum untuk swing 1-4 minggu bila Anda ingin ikut mempertimbangkan siapa yang bertransaksi. Memerlukan data broker yang lengkap: perhitungan gagal bila data itu mencakup kurang dari 80 persen transaksi harian saham likuid, baik pada jendela analisis maupun pada masa belajar. Bila data broker adalah data buatan (broker_data: synthetic), hasilnya hanya memperlihatkan cara kerja model, karena broker buatan tidak tahu apa pun tentang harga esok hari.',
      'Use it as a general filter for swing trades of 1 to 4 weeks when it matters to you who trades. It needs complete broker data: a run fails if the data covers less than 80 percent of the daily trades of liquid stocks, either in the analysed window or in the training days. If broker data is generated (broker_data: synthetic), the results only show how the model works, because generated brokers know nothing about tomorrow’s price.',
    ),
    how: new Localised(
      'Pilih broker_group sesuai pelaku yang ingin Anda ikuti; all mengikuti lima pembeli bersih terbesar dikurangi lima penjual bersih terbesar, karena semua broker bersama-sama selalu membeli sebanyak yang mereka jual. Jendela 5-10 hari menangkap akumulasi baru, sedangkan 20-30 hari menangkap akumulasi yang tenang dan lama. Biarkan exclude_retail_led aktif, kecuali Anda memang mencari saham yang sedang ramai: saringan ini mengeluarkan saham yang naik selama jendela itu ketika ritel menjadi pembeli bersih terbesar. Target kenaikan dan batas kerugian menentukan apa yang dipelajari model, dan tingkat keberhasilan yang sebenarnya ada di model_quality.',
      'Set broker_group to the brokers that you want to follow; all follows the five largest net buyers minus the five largest net sellers, because all brokers together always buy as much as they sell. A window of 5 to 10 days catches new accumulation, one of 20 to 30 days quiet, long accumulation. Leave exclude_retail_led on unless you look for crowded stocks: it leaves out stocks that rose during the window while retail brokers were the largest net buyers. Target and stop determine what the model is trained for; model_quality shows how often its picks actually succeeded.',
    ),
  },
  picks: true,
  learns: true,
  leastDays: daysNeeded,
  learnsFrom: ({ train_days }) => ({ trainDays: train_days, horizonDays: HORIZON_DAYS }),
  brokerNeeds: grossBrokerNeeds,
  examples: () => [{ params: { ...LOW_FLOORS, min_probability: 40 } }],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});
