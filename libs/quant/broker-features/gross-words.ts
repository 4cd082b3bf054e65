import type { FeatureWords } from '../features/feature-words.ts';

const ranked = (id: string, en: string): FeatureWords => ({ id, en, unit: 'rank' });

/**
 * Words for every gross feature, by its name in `gross-features.ts`. Names ending in `flow` refer to the run's own window. `Daily` is a
 * mean of days, weighted by turnover: who bought most on each day, not over the window.
 */
export const GROSS_WORDS: Readonly<Record<string, FeatureWords>> = {
  group_net_flow: ranked('Beli bersih kelompok broker', 'Net buying by the group of brokers'),
  group_persistence_flow: ranked(
    'Porsi hari beli bersih kelompok broker',
    'The share of days on which the group bought, net',
  ),
  group_streak_30: ranked(
    'Lama beli bersih beruntun kelompok broker',
    'The length of the run of net buying by the group',
  ),
  group_entry_gap_flow: ranked(
    'Harga terhadap biaya beli kelompok broker',
    'The price against what the group paid',
  ),
  top5_buy_1: ranked(
    'Porsi lima pembeli terbesar hari analisis',
    'The share of the five largest buyers of the day',
  ),
  accumulation_1: ranked(
    'Akumulasi lima broker terbesar hari analisis',
    'Accumulation by five brokers on the day',
  ),
  breadth_1: ranked(
    'Jumlah broker pembeli terhadap penjual hari analisis',
    'The balance of buying and selling brokers on the day',
  ),
  retail_net_1: ranked('Beli bersih ritel hari analisis', 'Net buying by retail brokers on the day'),
  hhi_gap_5: ranked(
    'Pemusatan harian beli terhadap jual, rata-rata 5 hari',
    'The daily concentration of buying over selling, mean of 5 days',
  ),
  accumulation_5: ranked(
    'Akumulasi harian lima broker terbesar, rata-rata 5 hari',
    'Daily accumulation by five brokers, mean of 5 days',
  ),
  breadth_5: ranked(
    'Jumlah harian broker pembeli terhadap penjual, rata-rata 5 hari',
    'The daily balance of buying and selling brokers, mean of 5 days',
  ),
  retail_net_5: ranked('Beli bersih ritel 5 hari', 'Net buying by retail brokers over 5 days'),
  bandar_net_5: ranked('Beli bersih bandar 5 hari', 'Net buying by local institutions over 5 days'),
  leader_newness_20: ranked('Barunya pembeli bersih terbesar', 'The newness of the largest net buyer'),
  smart_money_divergence_60: ranked(
    'Pembelian bandar dan asing yang belum tampak pada harga',
    'Buying by institutions and foreign investors that the price does not show',
  ),
  top1_buy_flow: ranked('Porsi harian pembeli terbesar', 'The daily share of the largest buyer'),
  top3_buy_flow: ranked('Porsi harian tiga pembeli terbesar', 'The daily share of the three largest buyers'),
  top5_buy_flow: ranked('Porsi harian lima pembeli terbesar', 'The daily share of the five largest buyers'),
  top5_sell_flow: ranked('Porsi harian lima penjual terbesar', 'The daily share of the five largest sellers'),
  hhi_gap_flow: ranked(
    'Pemusatan harian beli terhadap jual',
    'The daily concentration of buying over selling',
  ),
  accumulation_flow: ranked('Akumulasi harian lima broker terbesar', 'Daily accumulation by five brokers'),
  churn_flow: ranked(
    'Jual beli bolak-balik broker pada hari yang sama',
    'The part that the same brokers bought and sold again on the same day',
  ),
  breadth_flow: ranked(
    'Jumlah harian broker pembeli terhadap penjual',
    'The daily balance of buying and selling brokers',
  ),
  retail_net_flow: ranked('Beli bersih ritel', 'Net buying by retail brokers'),
  foreign_net_flow: ranked('Beli bersih broker asing', 'Net buying by foreign brokers'),
  bandar_net_flow: ranked('Beli bersih bandar', 'Net buying by local institutions'),
  retail_share_change_flow: ranked('Perubahan porsi beli ritel', 'The change of the share of retail buying'),
  nego_value_flow: ranked('Nilai pasar negosiasi', 'The value of the negotiated market'),
  nego_premium_flow: ranked('Premi pasar negosiasi', 'The premium of the negotiated market'),
};
