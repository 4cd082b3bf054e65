import { useState } from 'preact/hooks';
import { linkTo } from '#console/browser/routing.ts';
import { Choices } from '#console/parts/choices.tsx';
import { BarFigure } from '#console/parts/figures/bar-figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { RunsByDay } from '#console/parts/runs/runs-by-day.tsx';
import { client } from '#console/session/session.ts';
import { moment, number } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { shared } from '#console/words/shared.ts';

const say = inLanguages({
  title: ['Usage by key', 'Pemakaian per kunci'],
  whiles: (days: number) => [`${days} days`, `${days} hari`],
  byKey: ['Runs by key', 'Perhitungan per kunci'],
  deleted: ['deleted', 'dihapus'],
  lastRun: ['Last run', 'Perhitungan terakhir'],
  source: ['usage ledger, every key and channel', 'catatan pemakaian, semua kunci dan saluran'],
  nothing: ['Nothing was run.', 'Tidak ada perhitungan.'],
});

const WHILES = [7, 30, 180];
const DAY_MS = 86_400_000;

/** The runs of all keys. */
export function AllUsagePage() {
  const [days, setDays] = useState(WHILES[1]!);
  return (
    <>
      <h1>{say.title}</h1>
      <Choices label={shared.over} of={WHILES} chosen={days} choose={setDays} shown={say.whiles} />
      <ByKey days={days} />
      <RunsByDay
        load={(signal) =>
          client.value.operator.usageSummary({ group_by: 'day', since: sinceOf(days), signal })
        }
        on={[days]}
        source={say.source}
      />
    </>
  );
}

/** The date so many days ago. */
const sinceOf = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

function ByKey({ days }: { days: number }) {
  const usage = useLoading(
    async (signal) => {
      const { operator } = client.value;
      const [used, keys] = await Promise.all([
        operator.usageByKey({ since: sinceOf(days), signal }),
        // Names are optional: without the keys service, the page shows ids.
        operator.keys({ signal }).catch(() => undefined),
      ]);
      const names = keys && new Map(keys.map(({ id, name }) => [id, name]));
      const nameOf = (id: string) => (names ? (names.get(id) ?? `${id} (${say.deleted})`) : id);
      return used.map((key) => ({ ...key, label: nameOf(key.api_key_id) }));
    },
    [days],
  );
  return (
    <Loaded of={usage}>
      {(rows) =>
        rows.length === 0 ? (
          <p>{say.nothing}</p>
        ) : (
          <BarFigure
            title={say.byKey}
            source={say.source}
            measure={shared.runs}
            bar={({ api_key_id, label, runs }) => ({
              label,
              href: linkTo('keys', api_key_id),
              value: runs,
              shown: number(runs),
            })}
            table={{
              rows,
              keyOf: ({ api_key_id }) => api_key_id,
              columns: [
                {
                  title: shared.key,
                  of: ({ api_key_id, label }) => <a href={linkTo('keys', api_key_id)}>{label}</a>,
                },
                { title: shared.runs, isNumber: true, of: ({ runs }) => number(runs) },
                { title: shared.succeeded, isNumber: true, of: ({ succeeded }) => number(succeeded) },
                { title: shared.failed, isNumber: true, of: ({ failed }) => number(failed) },
                { title: shared.endUsers, isNumber: true, of: ({ end_users }) => number(end_users) },
                { title: say.lastRun, of: ({ last_run_at }) => moment(last_run_at) },
              ],
            }}
          />
        )
      }
    </Loaded>
  );
}
