import type { Schemas } from '#client/index.ts';
import { DayBars } from '#console/charts/day-bars.tsx';
import { day, number, seconds } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { shared } from '#console/words/shared.ts';
import { Figure } from '../figures/figure.tsx';
import { Loaded, useLoading } from '../loading.tsx';

const say = inLanguages({
  title: ['Runs by day', 'Perhitungan per hari'],
  others: ['Others', 'Lainnya'],
  average: ['Average duration', 'Lama rata-rata'],
  nothing: ['Nothing was run in this time.', 'Tidak ada perhitungan dalam waktu ini.'],
});

type DayOfRuns = Schemas['UsageSummaryRow'] | Schemas['AdminUsageSummaryRow'];

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
            table={{
              rows,
              keyOf: ({ key }) => key,
              columns: [
                { title: shared.day, of: ({ key }) => day(key) },
                { title: shared.runs, isNumber: true, of: ({ runs }) => number(runs) },
                { title: shared.succeeded, isNumber: true, of: ({ succeeded }) => number(succeeded) },
                { title: shared.failed, isNumber: true, of: ({ failed }) => number(failed) },
                { title: say.average, isNumber: true, of: (row) => seconds(row.avg_duration_seconds) },
              ],
            }}
          >
            <DayBars
              label={say.title}
              days={days.map(({ key }) => key)}
              series={[
                { name: shared.succeeded, kind: 'first', values: days.map(({ succeeded }) => succeeded) },
                { name: shared.failed, kind: 'second', values: days.map(({ failed }) => failed) },
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
