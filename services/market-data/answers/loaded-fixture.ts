import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { brokerFlowOf } from '#quant/broker-flow/flow-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { LoadedDataset } from '../in-memory/dataset-in-use.ts';

/** A panel as a loaded dataset, for tests: real bars, no broker rows unless given. */
export function loadedOf(
  panel: Panel,
  dataset: Partial<Dataset> = {},
  brokerFlow = brokerFlowOf(panel, []),
): LoadedDataset {
  const last_date = panel.columns.dates.at(-1)!;
  return {
    dataset: {
      ...{ version: 'v1', kind: 'real', source: 'test', fingerprint: '', published_at: undefined },
      ...{ first_date: panel.columns.dates[0]!, last_date, trading_days: panel.dayCount },
      ...{ tickers: panel.tickerCount, bars: panel.rowCount, rejected_rows: 0 },
      ...{ broker_data: brokerFlow.rowCount > 0 ? 'real' : 'none', broker_rows: brokerFlow.rowCount },
      ...{ broker_first_date: '', broker_last_date: '', broker_segments: [] },
      ...dataset,
    },
    panel,
    brokerFlow,
  };
}
