import { loadPanel } from '#quant/panel/panel-query.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { readArrow } from '#shared/clickhouse-arrow.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { DatasetLabel } from './screens/screen.ts';
import type { DatasetToLoad } from './thread-messages.ts';

export interface LoadedPanel {
  dataset: DatasetLabel;
  panel: Panel;
}

/** The dataset version that is in memory. A new one takes its place only when it has been read completely. */
export class HeldPanel {
  readonly #clickhouse: ClickHouseClient;
  #held: LoadedPanel | undefined;
  #loading: { version: string; loaded: Promise<LoadedPanel> } | undefined;

  constructor(clickhouse: ClickHouseClient) {
    this.#clickhouse = clickhouse;
  }

  /** Undefined until the first version has been read. */
  get held(): LoadedPanel | undefined {
    return this.#held;
  }

  /** The panel of this version, read when it is not held; callers of the same version share one reading. */
  async load(dataset: DatasetToLoad): Promise<LoadedPanel> {
    if (this.#held?.dataset.version === dataset.version) return this.#held;
    if (this.#loading?.version !== dataset.version) {
      this.#loading = { version: dataset.version, loaded: this.#read(dataset) };
    }
    const { loaded } = this.#loading;
    try {
      return (this.#held = await loaded);
    } finally {
      if (this.#loading?.loaded === loaded) this.#loading = undefined;
    }
  }

  async #read({ version, kind, bars }: DatasetToLoad): Promise<LoadedPanel> {
    const panel = await loadPanel((sql, params) => readArrow(this.#clickhouse, sql, params), version);
    if (panel.rowCount !== bars) throw new Error(`${version} has ${panel.rowCount} bars instead of ${bars}`);
    return { dataset: { version, kind }, panel };
  }
}
