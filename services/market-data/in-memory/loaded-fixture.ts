import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { ClassFlows, classFlowColumns } from '#quant/broker-rows/class-flows.ts';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { Universes } from '#quant/corporate-actions/universes.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { BrokerRowsOfDay } from './older-broker-days.ts';
import { statedIn, type StoredAction } from '../store/action-rows.ts';
import { StockActions } from './stock-actions.ts';
import type { LoadedDataset, Market } from './loaded-dataset.ts';

/** A panel as a market in memory, for tests: without broker rows and a table of corporate actions unless given. */
export function marketOf(
  panel: Panel,
  brokerFlow = brokerFlowOf(panel, []),
  actions: readonly StoredAction[] = [],
): Market {
  const classFlows = new ClassFlows(classFlowColumns(panel, brokerFlow));
  return {
    panel,
    brokerFlow,
    classFlows,
    actions: new StockActions(panel, actions),
    universes: new Universes(statedIn(actions), panel.columns.dates.at(-1) ?? ''),
  };
}

/** A panel as a loaded dataset, for tests: real bars, no broker rows unless given. */
export function loadedOf(
  panel: Panel,
  dataset: Partial<Dataset> = {},
  brokerFlow = brokerFlowOf(panel, []),
  actions: readonly StoredAction[] = [],
): LoadedDataset {
  const { dates } = panel.columns;
  const last_date = dates.at(-1)!;
  const hasRows = brokerFlow.rowCount > 0;
  return {
    dataset: {
      version: 'v1',
      kind: 'real',
      source: 'test',
      fingerprint: '',
      published_at: undefined,
      first_date: dates[0]!,
      last_date,
      whole_until: dates[panel.lastWholeDay]!,
      accepted_days: [],
      trading_days: panel.dayCount,
      tickers: panel.tickerCount,
      bars: panel.rowCount,
      rejected_rows: 0,
      broker_data: hasRows ? 'real' : 'none',
      broker_rows: brokerFlow.rowCount,
      broker_segments: [],
      origin_fingerprint: '',
      missing_days: [],
      broker_first_date: hasRows ? dates[brokerFlow.columns.firstDay]! : '',
      broker_last_date: hasRows ? dates[brokerFlow.columns.lastDay]! : '',
      ...dataset,
    },
    ...marketOf(panel, brokerFlow, actions),
  };
}

/** For datasets whose broker rows are all in memory. */
export const rowsInMemory: BrokerRowsOfDay = ({ brokerFlow }) => brokerFlow;
