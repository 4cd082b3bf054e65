import { AT, brokerCode } from '#quant/broker-measures/measures.ts';
import {
  FLOW_FEATURES,
  LOOKBACK_DAYS,
  SHORT_FEATURES,
  type GrossFeature,
} from '#quant/broker-features/gross-features.ts';
import { GROSS_WORDS } from '#quant/broker-features/gross-words.ts';
import { RowWindows, type BrokerGroup } from '#quant/broker-features/row-windows.ts';
import { field, NULL_MEANS, type Field } from '../values/field.ts';
import { ofTradedDays, type Stock } from '../values/stock.ts';

/** What a field reads of broker rows. Its value is null unless the rows of every traded day of the window are known. */
interface FlowWindow {
  days: number;
  group?: BrokerGroup;
  /** Whether it is a figure of the day's own rows, of which there are none without a trade. */
  isOfDay?: true;
}

const OF_DAY = { days: 1, isOfDay: true } as const;

type OfWindows = (windows: RowWindows) => number;

function perWindow({ days, group = 'all' }: FlowWindow, of: OfWindows): Field['of'] {
  return (stock) => {
    const { brokerDays, panel } = stock.inputs;
    if (!brokerDays || stock.from === stock.to) return stock.rows(() => NaN);
    const { day } = panel.columns;
    const firstDay = Math.max(0, day[stock.from]! - LOOKBACK_DAYS);
    const lastDay = day[stock.to - 1]!;
    const windows = new RowWindows(brokerDays.beside(panel), { days, group }, lastDay + 1 - firstDay);
    windows.turnTo(stock.ticker, firstDay, lastDay);
    return stock.rows((row) => {
      windows.moveTo(day[row]! - firstDay, NaN);
      return isWindowKnown(windows, stock, days) ? of(windows) : NaN;
    });
  };
}

function isWindowKnown({ stock, at }: RowWindows, { panel }: Stock, days: number): boolean {
  const { volume } = panel.columns;
  for (let day = Math.max(0, at + 1 - days); day <= at; day++) {
    const isTraded = stock.row[day]! >= 0 && volume[stock.row[day]!]! > 0;
    if (isTraded && stock.isKnown[day] === 0) return false;
  }
  return true;
}

type Declared = Pick<Field, 'name' | 'label' | 'unit' | 'formula'> & Partial<Field>;

function brokerField(window: FlowWindow, of: OfWindows, declared: Declared): Field {
  return field({
    source: 'Gross broker rows of the regular market, see MEASURES',
    nullMeans: NULL_MEANS.no_broker_rows,
    daysNeeded: 0,
    readsDays: window.days,
    needs: ['broker_days'],
    computeUs: Math.round(30 + 3 * window.days) / 100,
    of: window.isOfDay ? ofTradedDays(perWindow(window, of)) : perWindow(window, of),
    ...declared,
  });
}

const FEATURES: readonly GrossFeature[] = [...SHORT_FEATURES, ...FLOW_FEATURES];

/** A field that is a feature of the models: formula and computation are declared with it. */
function fromGross(
  feature: string,
  scale: 1 | 100,
  window: FlowWindow,
  declared: Pick<Field, 'name' | 'unit'> & Partial<Field>,
): Field {
  const { formula, of } = FEATURES.find(({ name }) => name === feature)!;
  const { id, en } = GROSS_WORDS[feature]!;
  return brokerField(window, (windows) => scale * of(windows), {
    label: { id, en },
    formula: scale === 100 ? `${formula}; in percent` : formula,
    ...declared,
  });
}

const FIVE_DAYS = 5;

/**
 * A figure of five days is that of each day, weighted by its turnover, because only the brokers of single days are summarised: the largest
 * buyers of the five days together may be others.
 */
const ofFiveDays = (
  feature: string,
  scale: 1 | 100,
  declared: Pick<Field, 'name' | 'unit'> & Partial<Field>,
): Field =>
  fromGross(
    feature,
    scale,
    { days: FIVE_DAYS },
    {
      note: {
        id: 'Angka tiap hari, ditimbang dengan nilai transaksi hari itu: lima hari tidak dijumlahkan per broker.',
        en: 'The figure of each day, weighted by its turnover: the five days are not added up by broker.',
      },
      nullMeans: NULL_MEANS.no_broker_rows_or_trade,
      ...declared,
    },
  );

const span = (days: number) =>
  days === 1 ? { id: 'hari itu', en: 'on the day' } : { id: `${days} hari`, en: `over ${days} days` };

const CLASSES = {
  bandar: { measure: AT.bandar_net, words: { id: 'bandar', en: 'local institutions' } },
  retail: { measure: AT.retail_net, words: { id: 'broker ritel', en: 'retail brokers' } },
  foreign_broker: { measure: AT.foreign_net, words: { id: 'broker asing', en: 'foreign brokers' } },
} as const;

const classNet = (of: keyof typeof CLASSES, days: number) => {
  const { measure, words } = CLASSES[of];
  return brokerField({ days }, ({ flow }) => flow.sum(measure), {
    name: `${of}_net_${days}d_idr`,
    label: {
      id: `Beli bersih ${words.id} ${span(days).id}`,
      en: `Net buying by ${words.en} ${span(days).en}`,
    },
    unit: 'idr',
    formula: `sum over ${days} exchange days of turnover × ${of.replace('_broker', '')}_net`,
  });
};

const BANDAR_20: FlowWindow = { days: 20, group: 'bandar' };
const NEWNESS_DAYS = 21;

/** Who bought and sold: classes of brokers, and single ones. */
export const BROKER_FIELDS: readonly Field[] = [
  ...[1, 5, 20].map((days) => classNet('bandar', days)),
  ...[1, 5, 20].map((days) => classNet('retail', days)),
  ...[5, 20].map((days) => classNet('foreign_broker', days)),
  fromGross(
    'retail_net_5',
    100,
    { days: 5 },
    {
      name: 'retail_net_5d_pct',
      nullMeans: NULL_MEANS.no_broker_rows_or_trade,
      label: {
        id: 'Beli bersih broker ritel terhadap nilai transaksi 5 hari',
        en: 'Net buying by retail brokers in the value traded in 5 days',
      },
      unit: 'percent',
    },
  ),
  fromGross('group_persistence_flow', 100, BANDAR_20, {
    name: 'bandar_buy_days_20d_pct',
    nullMeans: NULL_MEANS.no_broker_rows_or_trade,
    label: {
      id: 'Porsi hari beli bersih bandar dari 20 hari',
      en: 'Share of days of net buying by local institutions among 20',
    },
    unit: 'percent',
  }),
  fromGross(
    'group_streak_30',
    1,
    { days: 1, group: 'bandar' },
    {
      name: 'bandar_streak_days',
      label: {
        id: 'Lama beli bersih beruntun bandar',
        en: 'Days in a row of net buying by local institutions, below 0 for selling',
      },
      unit: 'days',
      readsDays: 30,
    },
  ),
  fromGross('group_entry_gap_flow', 100, BANDAR_20, {
    name: 'bandar_entry_gap_20d_pct',
    label: {
      id: 'Harga terhadap biaya beli bandar 20 hari',
      en: 'The price against what local institutions paid over 20 days',
    },
    unit: 'percent',
    nullMeans: {
      id: 'Data broker tidak lengkap pada hari dengan transaksi di jangka waktu itu, atau tidak ada bandar yang beli bersih.',
      en: 'Broker rows of a traded day in the window are missing or incomplete, or no local institution bought more than it sold.',
    },
  }),
  fromGross('top5_buy_flow', 100, OF_DAY, {
    name: 'top5_buyer_share_1d_pct',
    label: { id: 'Porsi lima pembeli terbesar hari itu', en: 'Share of the five largest buyers of the day' },
    unit: 'percent',
  }),
  ofFiveDays('top5_buy_flow', 100, {
    name: 'top5_buyer_share_5d_pct',
    label: {
      id: 'Porsi lima pembeli terbesar tiap hari, rata-rata 5 hari',
      en: "Share of each day's five largest buyers, mean of 5 days",
    },
    unit: 'percent',
  }),
  fromGross('top1_buy_flow', 100, OF_DAY, {
    name: 'top1_buyer_share_1d_pct',
    label: { id: 'Porsi pembeli terbesar hari itu', en: 'Share of the largest buyer of the day' },
    unit: 'percent',
  }),
  ofFiveDays('top1_buy_flow', 100, {
    name: 'top1_buyer_share_5d_pct',
    label: {
      id: 'Porsi pembeli terbesar tiap hari, rata-rata 5 hari',
      en: "Share of each day's largest buyer, mean of 5 days",
    },
    unit: 'percent',
  }),
  fromGross('accumulation_1', 100, OF_DAY, {
    name: 'accum_score_1d',
    unit: 'points',
  }),
  ofFiveDays('accumulation_5', 100, { name: 'accum_score_5d', unit: 'points' }),
  ofFiveDays('breadth_5', 100, { name: 'broker_breadth_5d_pct', unit: 'percent' }),
  ofFiveDays('hhi_gap_5', 1, { name: 'hhi_gap_5d', unit: 'none' }),
  ofFiveDays('churn_flow', 100, {
    name: 'broker_churn_5d_pct',
    label: {
      id: 'Jual beli bolak-balik broker pada hari yang sama, rata-rata 5 hari',
      en: 'The part that the same brokers bought and sold again on the same day, mean of 5 days',
    },
    unit: 'percent',
  }),
  brokerField(OF_DAY, leaderOf, {
    name: 'top_buyer',
    label: { id: 'Broker pembeli bersih terbesar hari itu', en: 'Largest net buyer of the day' },
    type: 'text',
    unit: 'none',
    formula: 'code of the broker with the largest net buying, on a tie the first by code',
    nullMeans: {
      id: 'Data broker tidak lengkap, atau tidak ada pembeli bersih.',
      en: 'Broker rows are missing or incomplete, or nobody bought more than they sold.',
    },
    textOf: brokerCode,
  }),
  fromGross('leader_newness_20', 100, OF_DAY, {
    name: 'top_buyer_newness_20d_pct',
    unit: 'percent',
    nullMeans: {
      id: 'Tidak ada pembeli bersih, atau data broker hari itu atau lebih dari 10 dari 20 hari sebelumnya tidak ada atau tidak lengkap.',
      en: 'There is no net buyer, or broker rows of the day or of more than 10 of the 20 days before are missing or incomplete.',
    },
    readsDays: NEWNESS_DAYS,
  }),
  fromGross(
    'smart_money_divergence_60',
    1,
    { days: 1 },
    {
      name: 'smart_money_divergence_60d',
      unit: 'none',
      nullMeans: {
        id: 'Data broker 5 hari terakhir tidak lengkap, kurang dari 40 dari 60 hari diketahui, atau salah satu angkanya tidak pernah berubah.',
        en: 'Broker rows of the last 5 days are incomplete, fewer than 40 of the 60 days are known, or one of the two never varied.',
      },
      readsDays: LOOKBACK_DAYS,
      computeUs: 1,
    },
  ),
];

function leaderOf({ stock, at }: RowWindows): number {
  if (stock.isKnown[at] === 0) return NaN;
  return stock.value(AT.leader, at) || NaN;
}
