import { statfsSync } from 'node:fs';
import { secretsIn } from '#platform/configuration/config.ts';
import { isScope } from '#shared/scopes.ts';
import { pepperId } from '#foundation/ids.ts';
import { terminalText } from '#foundation/text/terminal-text.ts';
import { endText, holesText, whyText } from '../fleet/freshness.ts';
import { ledgerLagSeconds } from '../fleet/ledger-lag.ts';
import { reasonOf, whileRunning, type Check, type Finding } from './check.ts';

const NEEDED_FREE_BYTES = 1024 ** 3;
const LAG_TOLERANCE_SECONDS = 60;
const SHOWN = 3;
/** The same tolerance as in the metric of the screens service. A screen can be set aside for seconds after a new day. */
const SET_ASIDE_TOLERANCE = '1 minute';

export const space: Check = {
  name: 'disk space',
  find: async ({ state }) => {
    const { bavail, bsize } = statfsSync(state.dir);
    const freeBytes = bavail * bsize;
    if (freeBytes >= NEEDED_FREE_BYTES) return [];
    return [
      {
        what: `Only ${Math.floor(freeBytes / 1024 ** 2)} MiB of disk space are free at ${state.dir}. Below 1 GiB no fleet starts; on a full disk, runs and consents are refused.`,
        fix: "Free some space: 'saring dataset prune --keep 3' removes old datasets, and shorter retention (USAGE_RETENTION_DAYS, RUN_RETENTION_DAYS) removes old rows.",
      },
    ];
  },
};

const CALENDAR_FILE =
  'docs/operations.md#the-calendar: set CALENDAR_FILE and restart market-data and the feed';

export const dataset = whileRunning('dataset', async ({ stores, services }) => {
  const [served] = await stores.market<{ version: string; kind: string }>(
    `SELECT served.version AS version, dataset.kind AS kind
     FROM (SELECT version FROM market.served ORDER BY served_at DESC LIMIT 1) AS served
     LEFT JOIN market.dataset AS dataset ON dataset.version = served.version`,
  );
  if (!served) {
    return [{ what: 'There is no dataset.', fix: "Import one with 'saring dataset import FILE'." }];
  }
  if (served.kind === '') {
    return [
      {
        what: `The served dataset ${served.version} is missing from ClickHouse.`,
        fix: "Import it again or restore it, or choose another one with 'saring dataset use VERSION'.",
      },
    ];
  }
  const { freshness, dataset } = await services.datasets.getCurrentDataset({}, services.call);
  if (!freshness) return [];
  const findings: Finding[] = [];
  if (freshness.partial_day !== undefined)
    findings.push({
      what: `The newest day of ${served.version}, ${freshness.partial_day}, is partial: few stocks have data. Runs and screens stay on ${dataset!.whole_until}.`,
      fix: `Add the rest with 'saring dataset import FILE --add', or say that it is whole: 'saring dataset accept-day ${freshness.partial_day}'.`,
    });
  // A generated market that does not go on is meant to stay as it is.
  if (freshness.is_late && freshness.cause !== 'stands_still')
    findings.push({
      what: `The dataset ${served.version} ends on ${freshness.data_as_of} and is ${endText(freshness)}: every run analyses that day.`,
      fix: whyText(freshness) || "Add the missing days with 'saring dataset import FILE --add'.",
    });
  if (freshness.missing_day_count > 0)
    findings.push({
      what: `The dataset ${served.version} has ${holesText(freshness)}. The exchange traded then: prices around such a day are not compared, and values that reach across it are null.`,
      fix: `Add them with 'saring dataset import FILE --add', or by 'saring feed run SOURCE --from DAY'. If the exchange was closed, list the closure (${CALENDAR_FILE}) and add any day again.`,
    });
  if (freshness.unlisted_year !== undefined)
    findings.push({
      what: `The calendar does not know on which days of ${freshness.unlisted_year} the exchange is closed: every weekday counts as a trading day, and no hole is noticed.`,
      fix: `Upgrade Saring, or list the closures that the exchange announced (${CALENDAR_FILE}).`,
    });
  return findings;
});

export const sources = whileRunning('sources', async ({ services }) => {
  const { feed, call } = services;
  const failing = (await feed.listSources({}, call)).sources.filter(({ state }) => state === 'failing');
  const found = await Promise.all(
    failing.map(async ({ name, due_day, reason }) => {
      const last = await feed.listFetches({ source: name, outcome: 'failed', limit: 1 }, call);
      // A day that is not published yet is not the source's fault. When it is late, the dataset is reported.
      const [{ problem, reason: ofLast } = {}] = last.fetches;
      if (problem === 'not_published' && ofLast === reason) return [];
      const what = due_day === undefined ? 'brings nothing' : `does not bring ${due_day}`;
      return [
        {
          what: `The source ${name} ${what}: ${terminalText(reasonOf({ message: reason ?? '' }))}.`,
          fix: `'saring feed log --source ${name}' shows each attempt, and docs/feeds.md what to do about each problem. The feed asks again by itself; 'saring feed run ${name}' asks at once.`,
        },
      ];
    }),
  );
  return found.flat();
});

export const models = whileRunning('models', async ({ services }) => {
  const checked = await services.catalogue.checkModels({}, services.call);
  const lacking = checked.models.filter(({ shortfall_english }) => shortfall_english !== undefined);
  return [...Map.groupBy(lacking, (model) => model.shortfall_english!)].map(([shortfall, models]) => ({
    what: `No run of ${models.map(({ id }) => id).join(', ')} can complete. ${shortfall}`,
    fix: "Add what is missing with 'saring dataset import FILE --add'; docs/data-format.md says what each model needs.",
  }));
});

export const schedules = whileRunning('schedules', async ({ services }) => {
  const listed = await services.scheduler.listSchedules({}, services.call);
  return listed.schedules.flatMap(({ id, name, enabled, held_up_by }) => {
    if (held_up_by === undefined) return [];
    const state = enabled ? 'cannot fire' : 'has ended';
    const fix = enabled
      ? `'saring schedules show ${id}' shows it. Disable it, or remove what is in its way.`
      : `Create another one for a key that may run, and remove this one with 'saring schedules delete ${id}'.`;
    return [{ what: `The schedule ${id} (${terminalText(name)}) ${state}. ${held_up_by}`, fix }];
  });
});

export const screens = whileRunning('screens', async ({ stores }) => {
  const aside = await stores.postgres<{ screen_id: string; api_key_id: string; failure: string }>(
    `select screen_id, api_key_id, failure from screens.screen_place join screens.screen using (screen_id)
     where set_aside_since <= now() - interval '${SET_ASIDE_TOLERANCE}' order by set_aside_since, screen_id`,
  );
  return [...Map.groupBy(aside, ({ failure }) => failure)].map(([failure, ofReason]) => ({
    what: `Screens that are not followed: ${some(ofReason.map(({ screen_id, api_key_id }) => `${screen_id} of ${api_key_id}`))}. ${terminalText(failure)}`,
    fix: "They delay no others, and their owners read the same. 'saring logs screens --level warn' shows more.",
  }));
});

export const ledger = whileRunning('usage ledger', async ({ stores }) => {
  const lagSeconds = await ledgerLagSeconds(stores);
  if (lagSeconds <= LAG_TOLERANCE_SECONDS) return [];
  return [
    {
      what: `A run has been missing from the usage ledger for ${Math.round(lagSeconds)} s.`,
      fix: "Nothing is lost, and the ledger catches up by itself. 'saring logs usage --level warn' shows why it is behind.",
    },
  ];
});

export const pepper = whileRunning('pepper', async ({ state, stores }) => {
  const { key_pepper } = state.secrets;
  if (key_pepper === undefined) return [];
  const others = await stores.postgres<{ name: string }>(
    `select distinct name from keys.key_secret join keys.api_key on id = key_id
     where pepper_id <> all($1) and deleted_at is null and (valid_until is null or valid_until > now()) order by name`,
    [secretsIn(key_pepper).map(pepperId)],
  );
  if (others.length === 0) return [];
  return [
    {
      what: `${others.length} keys were issued under another pepper and are refused: ${some(others.map(({ name }) => name))}.`,
      fix: `Restore the old key_pepper in ${state.dir}/secrets.json (a backup contains it) and restart the fleet, or give each key a new secret with 'saring keys rotate'.`,
    },
  ];
});

export const scopes = whileRunning('scopes of keys', async ({ stores }) => {
  const keys = await stores.postgres<{ id: string; name: string; scopes: string[] }>(
    'select id, name, scopes from keys.api_key where deleted_at is null order by created_at',
  );
  return keys
    .filter((key) => !key.scopes.some(isScope))
    .map(({ id, name }) => ({
      what: `Key ${id} (${name}) has no scope: every request with it is refused.`,
      fix: `Grant the scopes that it needs, for example 'saring keys update ${id} --scopes models:read,models:run', or delete the key.`,
    }));
});

function some(names: string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
