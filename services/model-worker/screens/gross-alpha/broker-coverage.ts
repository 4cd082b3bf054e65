import type { BrokerDays } from '#quant/broker-days/broker-days.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import { brokerCoverage, type Coverage } from '#quant/gross-flow/coverage.ts';
import type { DaySpan } from '#quant/broker-flow/flow-builder.ts';
import { longDate, oneDecimal, plainNumber } from '#shared/indonesian.ts';
import { RunFailure } from '../run-failure.ts';
import { rounded } from '../display.ts';
import type { GrossAlphaParams } from './params.ts';
import { trainingSpan, windowSpan } from './spans.ts';

/** Below this share of stock-days most features of a day would be those of the names that happen to have rows. */
const LEAST_COVERED_PCT = 80;

/** Share of the stock-days of liquid names whose broker rows are whole, in percent with one decimal. */
export interface BrokerCoverage {
  window_pct: number;
  training_pct: number;
}

/** @throws RunFailure when the broker rows cover too little of the window, or of what is learnt from. */
export function requireBrokerRows(
  table: FeatureTable,
  brokerDays: BrokerDays,
  day: number,
  params: GrossAlphaParams,
): BrokerCoverage {
  const [window, training] = [windowSpan(day, params), trainingSpan(day, params)];
  return {
    window_pct: require(table, brokerDays, window, 'jendela analisis'),
    training_pct: require(table, brokerDays, training, 'masa belajar'),
  };
}

function require(table: FeatureTable, brokerDays: BrokerDays, span: DaySpan, name: string): number {
  const coverage = brokerCoverage(table, brokerDays, span);
  if (100 * coverage.known >= LEAST_COVERED_PCT * coverage.stockDays) return percent(coverage);
  const { dates } = table.panel.columns;
  throw new RunFailure(
    'Data broker belum lengkap untuk tanggal ini, jadi model tidak dapat dijalankan. ' +
      `Pada ${name} ${longDate(dates[span.firstDay]!)} sampai ${longDate(dates[span.lastDay]!)}, data broker ` +
      `baru mencakup ${oneDecimal(roundedDown(coverage))}% transaksi harian saham likuid, sedangkan model ` +
      `memerlukan ${plainNumber(LEAST_COVERED_PCT)}%.`,
  );
}

/** 100 of none. */
function percent({ known, stockDays }: Coverage): number {
  return stockDays === 0 ? 100 : rounded((100 * known) / stockDays, 1);
}

/** So that what is not enough never reads as if it were. */
function roundedDown({ known, stockDays }: Coverage): number {
  return Math.floor((1000 * known) / stockDays) / 10;
}
