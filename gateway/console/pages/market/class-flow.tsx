import { DayBars } from '#console/charts/day-bars.tsx';
import { DataTable } from '#console/parts/data-table.tsx';
import { Figure } from '#console/parts/figure.tsx';
import type { SourceProps } from '#console/parts/source.tsx';
import { day, rupiah } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { streakOf } from './streak.ts';
import { words } from './words.ts';

/** What the classes of brokers bought less what they sold on a day, IDR. */
interface ClassDay {
  date: string;
  foreign_net_value: number;
  retail_net_value: number;
  bandar_net_value: number;
}

const CLASSES = ['foreign', 'bandar', 'retail'] as const;
const KINDS = { foreign: 'first', bandar: 'second', retail: 'third' } as const;

/** Which class of brokers bought and which sold, day by day, and how long each has done so. */
export function ClassFlow({ days, source }: { days: readonly ClassDay[]; source: SourceProps }) {
  const say = words.value;
  const netOf = (of: (typeof CLASSES)[number]) => days.map((each) => each[`${of}_net_value`]);
  return (
    <Figure
      title={say.byClass}
      source={source}
      table={
        <DataTable
          caption={say.byClass}
          rows={days.toReversed()}
          keyOf={({ date }) => date}
          columns={[
            { title: shared.value.date, of: ({ date }) => day(date) },
            ...CLASSES.map((of) => ({
              title: say[of],
              isNumber: true,
              of: (each: ClassDay) => rupiah(each[`${of}_net_value`]),
            })),
          ]}
        />
      }
    >
      <DayBars
        label={say.byClass}
        days={days.map(({ date }) => date)}
        series={CLASSES.map((of) => ({ name: say[of], kind: KINDS[of], values: netOf(of) }))}
        format={rupiah}
      />
      <ul class="sentences">
        {CLASSES.map((of) => {
          const { side, length } = streakOf(netOf(of));
          const since = day(days[days.length - length]?.date);
          return (
            <li key={of}>
              <strong>{say[of]}.</strong>{' '}
              {side === 'NONE' ? say.sides.NONE : say.streak(say.sides[side], length, since)}
            </li>
          );
        })}
      </ul>
    </Figure>
  );
}
