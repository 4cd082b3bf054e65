import { setTimeout as sleep } from 'node:timers/promises';
import { newestDueDay } from '#quant/exchange/calendar/due-days.ts';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import type { MarketPace } from '#platform/configuration/settings.ts';
import type { OperatorCli } from './operator-cli.ts';
import type { RestClient } from './rest-client.ts';
import type { LocalSettings } from '../configuration/settings.ts';
import { StartError } from '../configuration/start-error.ts';

/** An accelerated market begins to go on here. At ten seconds a day it takes more than six hours to come to today. */
const ACCELERATED_FROM = '2016-12-30';
const POLL_PAUSE_MS = 100;
/** By then a service that the gateway does not reach is the matter of its supervisor. */
const REACHED_WITHIN_MS = 15_000;
/** A feed may publish the next day while its predecessor is being loaded. */
const LOOK_AGAIN_MS = 10_000;

/** The published dataset, as reported by the gateway's health check. */
export interface Dataset {
  version: string;
  kind: string;
  broker_data: string;
}

/**
 * Imports the dataset that the user named. Without any data, creates a synthetic market.
 * @returns whether the version to be served may be a new one
 */
export async function ensureDataset(
  cli: OperatorCli,
  rest: RestClient,
  settings: Pick<LocalSettings, 'dataset' | 'synthesizeBrokers' | 'generatedMarketPace'>,
): Promise<boolean> {
  const { dataset: named, synthesizeBrokers, generatedMarketPace } = settings;
  const flags = synthesizeBrokers ? ['--synthesize-brokers'] : [];
  if (named !== undefined) await importNamed(cli, named, flags);
  else if ((await healthOf(rest)).dataset || (await versionIn(cli)) !== '') return false;
  else await cli.run('dataset', 'sample', ...endOf(generatedMarketPace));
  return true;
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
 * The version to be served, '' without any. Asks the store directly: a service that has not looked yet knows no dataset, and a sample
 * would then replace a real one. This starts a process of its own, which costs a third of a second of processor time.
 */
async function versionIn(cli: Pick<OperatorCli, 'json'>): Promise<string> {
  return (await cli.json<{ served_version: string }>('dataset', 'list')).served_version;
}

interface Health {
  /** In use, or the one that is being loaded while there is none in use. */
  dataset: Dataset | null;
  data_loaded: boolean;
  /** The version that should be served but is missing from the store. */
  lost_dataset: string | null;
  /** Each `up` or `down`, as the gateway reaches them. A run waits for the workers by itself. */
  services: Record<string, string> & { model_workers: string };
}

export const healthOf = (rest: Pick<RestClient, 'get'>) => rest.get<Health>('/api/health');

/**
 * Waits until the gateway answers from the version to be served and reaches every service. It tried to connect to those that started
 * after it, and tries again up to a second later: until then, requests to a service that says it is ready fail. A slow machine may load
 * the version for as long as it takes: market-data gives up what stalls, and its log says so.
 * @param isNew whether an older version may still be in use
 * @throws StartError when the version is missing from the store
 */
export async function whenServed(
  cli: Pick<OperatorCli, 'json'>,
  rest: Pick<RestClient, 'get'>,
  { isNew, pauseMs = POLL_PAUSE_MS }: { isNew: boolean; pauseMs?: number },
): Promise<Dataset> {
  const begun = performance.now();
  let lookAgainAt = begun + LOOK_AGAIN_MS;
  let wanted = isNew ? await versionIn(cli) : undefined;
  for (;;) {
    const { dataset, data_loaded, lost_dataset, services } = await healthOf(rest);
    if (lost_dataset && lost_dataset === (wanted ?? lost_dataset)) throw new StartError(lost(lost_dataset));
    const { model_workers: _, ...reached } = services;
    const isReached = Object.values(reached).every((state) => state === 'up');
    const isWanted = dataset && (wanted === undefined || dataset.version === wanted);
    if (data_loaded && isWanted && (isReached || performance.now() > begun + REACHED_WITHIN_MS))
      return dataset;
    if (wanted !== undefined && performance.now() > lookAgainAt) {
      wanted = await versionIn(cli);
      lookAgainAt = performance.now() + LOOK_AGAIN_MS;
    }
    await sleep(pauseMs);
  }
}

function lost(version: string): string {
  return (
    `The dataset ${version} should be served, but is missing from the store. Restore a backup, or start again with other data: ` +
    `DATASET=file-or-folder make run.`
  );
}
