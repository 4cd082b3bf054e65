import { setTimeout as sleep } from 'node:timers/promises';
import { newestDueDay } from '#quant/exchange/calendar/due-days.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import type { MarketPace } from '#shared/config/settings.ts';
import { EXIT } from '#shared/process/exit-codes.ts';
import { FailedCommand, type OperatorCli } from './operator-cli.ts';
import type { RestClient } from './rest-client.ts';
import type { LocalSettings } from '../settings.ts';
import { StartError } from '../start-error.ts';

/** An accelerated market begins to go on here. At ten seconds a day it takes more than six hours to come to today. */
const ACCELERATED_FROM = '2016-12-30';
const SERVED_WITHIN_MS = 15_000;
const POLL_PAUSE_MS = 100;
/** How long a store that was killed with everything else may need, for example three NATS nodes without a leader. */
const STORE_WITHIN_MS = 30_000;
const RETRY_MS = 1_000;

/** The published dataset, as reported by the gateway's health check. */
export interface Dataset {
  version: string;
  kind: string;
  broker_data: string;
}

/** Loads the dataset that the user named. Without any data, creates a synthetic market. */
export async function ensureDataset(
  cli: OperatorCli,
  rest: RestClient,
  settings: Pick<LocalSettings, 'dataset' | 'synthesizeBrokers' | 'generatedMarketPace'>,
): Promise<Dataset> {
  const { dataset: named, synthesizeBrokers, generatedMarketPace } = settings;
  const flags = synthesizeBrokers ? ['--synthesize-brokers'] : [];
  if (named !== undefined) await importNamed(cli, named, flags);
  else if (!(await healthOf(rest)).dataset && !(await hasDataset(cli)))
    await cli.run('dataset', 'sample', ...endOf(generatedMarketPace));
  return whenServed(rest);
}

/** Where the generated market ends, so that it can go on from there. One that stands still is the same on every day. */
function endOf(pace: MarketPace): string[] {
  if (pace === 'off') return [];
  const last = pace === 'accelerated' ? ACCELERATED_FROM : newestDueDay(IDX_CALENDAR, new Date());
  return ['--last-date', last];
}

/** Imports without asking for confirmation. If the import is refused, the served dataset stays. */
async function importNamed(cli: OperatorCli, named: string, flags: string[]): Promise<void> {
  try {
    await cli.run('dataset', 'import', named, '--if-changed', ...flags);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new StartError(
      `DATASET=${named} was not imported. To serve the data that is already there, run 'make run' without DATASET. ` +
        `Then 'npx saring dataset import' can add the new data (--add) or replace the old (--replace).`,
    );
  }
}

/**
 * Asks the store directly: a service that has not looked yet knows no dataset, and a sample would then replace a real one. This
 * starts a process of its own, which costs a third of a second of processor time.
 */
async function hasDataset(cli: OperatorCli): Promise<boolean> {
  const giveUpAt = performance.now() + STORE_WITHIN_MS;
  for (;;) {
    try {
      const { datasets } = await cli.json<{ datasets: unknown[] }>('dataset', 'list');
      return datasets.length > 0;
    } catch (error) {
      const isAway = error instanceof FailedCommand && error.exitCode === EXIT.unavailable;
      if (!isAway || performance.now() > giveUpAt) throw error;
    }
    await sleep(RETRY_MS);
  }
}

interface Health {
  dataset: Dataset | null;
  /** Each `up` or `down`, as the gateway reaches them. A run waits for the workers by itself. */
  services: Record<string, string> & { model_workers: string };
}

const healthOf = (rest: RestClient) => rest.get<Health>('/api/health');

/**
 * Waits until the gateway serves a dataset and reaches every service. It tried to connect to those that started after it, and tries again
 * up to a second later: until then, requests to a service that says it is ready fail.
 */
async function whenServed(rest: RestClient): Promise<Dataset> {
  const giveUpAt = performance.now() + SERVED_WITHIN_MS;
  let served: Dataset | null = null;
  while (performance.now() < giveUpAt) {
    const {
      dataset,
      services: { model_workers: _, ...reached },
    } = await healthOf(rest);
    if (dataset && Object.values(reached).every((state) => state === 'up')) return dataset;
    served = dataset;
    await sleep(POLL_PAUSE_MS);
  }
  // A service that has gone again is the matter of its supervisor.
  if (served) return served;
  throw new StartError(
    `The dataset was published, but the gateway did not serve it within ${SERVED_WITHIN_MS / 1000} s.`,
  );
}
