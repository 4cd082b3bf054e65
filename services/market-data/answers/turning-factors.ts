import type { PartKind, TurningPart } from '#quant/turning-point/turning-parts.ts';
import type { TurningPoint } from '#quant/turning-point/turning-point.ts';
import { oneDecimal, rupiah } from '#shared/text/indonesian.ts';

interface Circumstances {
  lookback: number;
  /** `selama kenaikan`, or over which days where the price did not move the way the investors went. */
  whileRising: string;
  whileFalling: string;
}

/** Amounts come without their sign: the sentences say the direction. */
const SENTENCES: Record<PartKind, (amount: number, circumstances: Circumstances) => string> = {
  rally: (pct, { lookback }) => `Harga naik ${oneDecimal(pct)}% dalam ${lookback} hari`,
  near_high: () => 'Harga tertahan di dekat puncak 60 hari',
  foreign_selling: (idr, { whileRising }) => `Asing mencatat jual bersih ${rupiah(idr)} ${whileRising}`,
  smart_money_selling: (idr) => `Asing dan bandar mencatat jual bersih ${rupiah(idr)} saat harga naik`,
  retail_buying: (idr) => `Ritel mencatat beli bersih ${rupiah(idr)} saat harga naik`,
  heavy_red_day: (ratio) =>
    `Volume membesar pada hari turun di dekat puncak 60 hari (${oneDecimal(ratio)}x rata-rata 20 hari)`,
  overbought: (rsi) => `RSI ${oneDecimal(rsi)} berada di area jenuh beli`,
  bearish_divergence: (rsi) => `Harga mencetak puncak baru, tetapi RSI melemah ke ${oneDecimal(rsi)}`,
  fall: (pct, { lookback }) => `Harga turun ${oneDecimal(pct)}% dalam ${lookback} hari`,
  far_below_high: (pct) => `Harga ${oneDecimal(pct)}% di bawah puncak 60 hari`,
  foreign_buying: (idr, { whileFalling }) => `Asing mencatat beli bersih ${rupiah(idr)} ${whileFalling}`,
  smart_money_buying: (idr) => `Asing dan bandar mencatat beli bersih ${rupiah(idr)} saat harga melemah`,
  retail_selling: (idr) => `Ritel mencatat jual bersih ${rupiah(idr)} saat harga melemah`,
  heavy_green_day: (ratio) =>
    `Volume membesar pada hari naik di dekat dasar 60 hari (${oneDecimal(ratio)}x rata-rata 20 hari)`,
  oversold_turning: (rsi) => `RSI naik dari area jenuh jual ke ${oneDecimal(rsi)}`,
  bullish_divergence: (rsi) => `Harga mencetak dasar baru, tetapi RSI menguat ke ${oneDecimal(rsi)}`,
  ma_cross_up: () => 'MA5 menembus MA20',
};

/** Each part as a sentence in Bahasa Indonesia, in the order of the parts. */
export function turningFactors({ parts, retPct }: TurningPoint, lookback: number): string[] {
  const overDays = `dalam ${lookback} hari`;
  const circumstances = {
    lookback,
    whileRising: retPct !== null && retPct > 0 ? 'selama kenaikan' : overDays,
    whileFalling: retPct !== null && retPct < 0 ? 'selama penurunan' : overDays,
  };
  return parts.map(({ kind, amount }: TurningPart) => SENTENCES[kind](Math.abs(amount), circumstances));
}
