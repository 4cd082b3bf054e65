import { DayBars } from '#console/charts/day-bars.tsx';
import { day, number, seconds } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { DataTable } from './data-table.tsx';
import { Figure } from './figure.tsx';
import { Loaded, useLoading } from './loading.tsx';

const words = inLanguages({
  en: {
    title: 'Runs by day',
    day: 'Day',
    runs: 'Runs',
    succeeded: 'Succeeded',
    failed: 'Failed',
    others: 'Others',
    average: 'Average duration',
    nothing: 'Nothing was run in this time.',
  },
  id: {
    title: 'Perhitungan per hari',
    day: 'Hari',
    runs: 'Perhitungan',
    succeeded: 'Berhasil',
    failed: 'Gagal',
    others: 'Lainnya',
    average: 'Lama rata-rata',
    nothing: 'Tidak ada perhitungan dalam waktu ini.',
  },
});

interface DayOfRuns {
  /** The day, YYYY-MM-DD. */
  key: string | null;
  runs: number;
  succeeded: number;
  failed: number;
  avg_duration_seconds: number | null;
}

interface RunsByDayProps {
  /** Latest day first. */
  load: (signal: AbortSignal) => Promise<{ rows: readonly DayOfRuns[] }>;
  /** Reloads when one of these changes. */
  on: readonly unknown[];
  /** Whose runs they are, and which record they come from. */
  source: string;
}

/** How many runs of each day succeeded, failed or ended otherwise. */
export function RunsByDay({ load, on, source }: RunsByDayProps) {
  const say = words.value;
  const summary = useLoading(load, on);
  return (
    <Loaded of={summary}>
      {({ rows }) => {
        if (rows.length === 0) return <p>{say.nothing}</p>;
        const days = rows.toReversed();
        return (
          <Figure
            title={say.title}
            source={source}
            table={
              <DataTable
                caption={say.title}
                rows={rows}
                keyOf={({ key }) => key ?? ''}
                columns={[
                  { title: say.day, of: ({ key }) => day(key) },
                  { title: say.runs, isNumber: true, of: ({ runs }) => number(runs) },
                  { title: say.succeeded, isNumber: true, of: ({ succeeded }) => number(succeeded) },
                  { title: say.failed, isNumber: true, of: ({ failed }) => number(failed) },
                  {
                    title: say.average,
                    isNumber: true,
                    of: ({ avg_duration_seconds }) => seconds(avg_duration_seconds),
                  },
                ]}
              />
            }
          >
            <DayBars
              label={say.title}
              days={days.map(({ key }) => key ?? '')}
              series={[
                { name: say.succeeded, kind: 'first', values: days.map(({ succeeded }) => succeeded) },
                { name: say.failed, kind: 'second', values: days.map(({ failed }) => failed) },
                { name: say.others, kind: 'third', values: days.map(othersOf) },
              ]}
              format={(value) => number(value)}
            />
          </Figure>
        );
      }}
    </Loaded>
  );
}

/** Runs that were interrupted or have not ended. */
function othersOf({ runs, succeeded, failed }: DayOfRuns): number {
  return runs - succeeded - failed;
}
