import type { PartKind } from '#quant/turning-point/turning-parts.ts';
import type { Formats, Language } from '#shared/text/languages.ts';

interface Circumstances {
  lookback: number;
  /** Return over the lookback; null where history is shorter. */
  retPct: number | null;
  formats: Formats;
}

/** Amounts come without their sign: the sentences say the direction. */
type Sentences = Record<PartKind, (amount: number, circumstances: Circumstances) => string>;

const rose = ({ retPct }: Circumstances) => retPct !== null && retPct > 0;
const fell = ({ retPct }: Circumstances) => retPct !== null && retPct < 0;

const INDONESIAN: Sentences = {
  rally: (pct, { lookback, formats }) => `Harga naik ${formats.oneDecimal(pct)}% dalam ${lookback} hari`,
  near_high: () => 'Harga tertahan di dekat puncak 60 hari',
  foreign_selling: (idr, when) =>
    `Asing mencatat jual bersih ${when.formats.rupiah(idr)} ${rose(when) ? 'selama kenaikan' : `dalam ${when.lookback} hari`}`,
  smart_money_selling: (idr, { formats }) =>
    `Asing dan bandar mencatat jual bersih ${formats.rupiah(idr)} saat harga naik`,
  retail_buying: (idr, { formats }) => `Ritel mencatat beli bersih ${formats.rupiah(idr)} saat harga naik`,
  heavy_red_day: (ratio, { formats }) =>
    `Volume membesar pada hari turun di dekat puncak 60 hari (${formats.oneDecimal(ratio)}x rata-rata 20 hari)`,
  overbought: (rsi, { formats }) => `RSI ${formats.oneDecimal(rsi)} berada di area jenuh beli`,
  bearish_divergence: (rsi, { formats }) =>
    `Harga mencetak puncak baru, tetapi RSI melemah ke ${formats.oneDecimal(rsi)}`,
  fall: (pct, { lookback, formats }) => `Harga turun ${formats.oneDecimal(pct)}% dalam ${lookback} hari`,
  far_below_high: (pct, { formats }) => `Harga ${formats.oneDecimal(pct)}% di bawah puncak 60 hari`,
  foreign_buying: (idr, when) =>
    `Asing mencatat beli bersih ${when.formats.rupiah(idr)} ${fell(when) ? 'selama penurunan' : `dalam ${when.lookback} hari`}`,
  smart_money_buying: (idr, { formats }) =>
    `Asing dan bandar mencatat beli bersih ${formats.rupiah(idr)} saat harga melemah`,
  retail_selling: (idr, { formats }) =>
    `Ritel mencatat jual bersih ${formats.rupiah(idr)} saat harga melemah`,
  heavy_green_day: (ratio, { formats }) =>
    `Volume membesar pada hari naik di dekat dasar 60 hari (${formats.oneDecimal(ratio)}x rata-rata 20 hari)`,
  oversold_turning: (rsi, { formats }) => `RSI naik dari area jenuh jual ke ${formats.oneDecimal(rsi)}`,
  bullish_divergence: (rsi, { formats }) =>
    `Harga mencetak dasar baru, tetapi RSI menguat ke ${formats.oneDecimal(rsi)}`,
  ma_cross_up: () => 'MA5 menembus MA20',
};

const ENGLISH: Sentences = {
  rally: (pct, { lookback, formats }) => `The price rose ${formats.oneDecimal(pct)}% in ${lookback} days`,
  near_high: () => 'The price is held near its high of 60 days',
  foreign_selling: (idr, when) =>
    `Foreigners sold ${when.formats.rupiah(idr)} net ${rose(when) ? 'during the rise' : `in ${when.lookback} days`}`,
  smart_money_selling: (idr, { formats }) =>
    `Foreigners and local institutions sold ${formats.rupiah(idr)} net while the price rose`,
  retail_buying: (idr, { formats }) =>
    `Retail brokers bought ${formats.rupiah(idr)} net while the price rose`,
  heavy_red_day: (ratio, { formats }) =>
    `Heavy volume on a falling day near the high of 60 days (${formats.oneDecimal(ratio)}x its average of 20 days)`,
  overbought: (rsi, { formats }) => `RSI ${formats.oneDecimal(rsi)} is in the overbought zone`,
  bearish_divergence: (rsi, { formats }) =>
    `The price made a new high, but RSI weakened to ${formats.oneDecimal(rsi)}`,
  fall: (pct, { lookback, formats }) => `The price fell ${formats.oneDecimal(pct)}% in ${lookback} days`,
  far_below_high: (pct, { formats }) => `The price is ${formats.oneDecimal(pct)}% below its high of 60 days`,
  foreign_buying: (idr, when) =>
    `Foreigners bought ${when.formats.rupiah(idr)} net ${fell(when) ? 'during the fall' : `in ${when.lookback} days`}`,
  smart_money_buying: (idr, { formats }) =>
    `Foreigners and local institutions bought ${formats.rupiah(idr)} net while the price weakened`,
  retail_selling: (idr, { formats }) =>
    `Retail brokers sold ${formats.rupiah(idr)} net while the price weakened`,
  heavy_green_day: (ratio, { formats }) =>
    `Heavy volume on a rising day near the low of 60 days (${formats.oneDecimal(ratio)}x its average of 20 days)`,
  oversold_turning: (rsi, { formats }) => `RSI rises out of the oversold zone to ${formats.oneDecimal(rsi)}`,
  bullish_divergence: (rsi, { formats }) =>
    `The price made a new low, but RSI strengthened to ${formats.oneDecimal(rsi)}`,
  ma_cross_up: () => 'MA5 crosses above MA20',
};

/** What gave a turning point its points. */
export const FACTOR_SENTENCES: Record<Language, Sentences> = { id: INDONESIAN, en: ENGLISH };
