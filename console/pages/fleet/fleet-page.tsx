import { useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import type { Series } from '#console/charts/legend.tsx';
import { Lines } from '#console/charts/lines.tsx';
import { Choices } from '#console/parts/choices.tsx';
import { Facts } from '#console/parts/facts.tsx';
import { Figure, type TableOfFigure } from '#console/parts/figures/figure.tsx';
import { Loaded, useRefreshing } from '#console/parts/loading.tsx';
import { LoadedTable } from '#console/parts/tables/loaded-table.tsx';
import { client } from '#console/session/session.ts';
import { clock, duration, mebibytes, moment, number, seconds } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './words.ts';

/** Short enough to watch a process restart. */
const REFRESH_MS = 5_000;

/** Every process and part of the fleet, and the queue of runs. */
export function FleetPage() {
  return (
    <>
      <h1>{say.title}</h1>
      <Health />
      <h2>{say.processes}</h2>
      <Processes />
      <h2>{say.queue}</h2>
      <Queue />
    </>
  );
}

function Health() {
  const health = useRefreshing((signal) => client.value.health({ signal }), [], REFRESH_MS);
  return (
    <Loaded of={health}>
      {({ runs, services, dataset, models, schedules }) => (
        <>
          <Facts
            facts={[
              [say.runs, runs.can_complete ? say.complete : say.notComplete],
              [say.dataset, <code>{dataset?.version ?? shared.none}</code>],
              [
                say.schedules,
                schedules === null ? say.unknown : number(schedules.enabled),
                schedules !== null && schedules.cannot_fire > 0 && say.cannotFire(schedules.cannot_fire),
              ],
            ]}
          />
          <h2>{say.models}</h2>
          <ul class="states">
            {models.map(({ id, can_complete, reason }) => (
              <li key={id}>
                {id} <span class={can_complete ? 'succeeded' : 'failed'}>{reason ?? shared.yes}</span>
              </li>
            ))}
          </ul>
          <h2>{say.parts}</h2>
          <ul class="states">
            {Object.entries(services).map(([name, state]) => (
              <li key={name}>
                {name} <span class={state === 'up' ? 'succeeded' : 'failed'}>{say.states[state]}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}

const CLASS_OF = { ready: 'succeeded', not_ready: 'failed', silent: 'failed' } as const;

function Processes() {
  const processes = useRefreshing((signal) => client.value.operator.processes({ signal }), [], REFRESH_MS);
  return (
    <LoadedTable
      of={processes}
      caption={say.processes}
      empty={say.noPorts}
      keyOf={({ name }) => name}
      columns={[
        { title: say.process, of: ({ name }) => name },
        {
          title: shared.state,
          of: ({ state }) => <span class={CLASS_OF[state]}>{say.states[state]}</span>,
        },
        { title: say.why, of: ({ reasons, degraded }) => [...reasons, ...degraded].join('; ') },
        {
          title: say.up,
          isNumber: true,
          of: ({ started_at }) =>
            duration(started_at === null ? null : (Date.now() - Date.parse(started_at)) / 1_000),
        },
        { title: say.memory, isNumber: true, of: ({ memory_bytes }) => mebibytes(memory_bytes) },
        { title: shared.version, of: ({ version }) => version ?? '' },
      ]}
    />
  );
}

type Point = Schemas['QueuePoint'];

const WHILES = [60, 360, 1_440];

/** How many runs wait and run, and how long runs waited and took. */
function Queue() {
  const [minutes, setMinutes] = useState(WHILES[0]!);
  const queue = useRefreshing(
    (signal) => client.value.operator.queue({ minutes, signal }),
    [minutes],
    REFRESH_MS,
  );
  return (
    <>
      <Choices label={shared.over} of={WHILES} chosen={minutes} choose={setMinutes} shown={say.whiles} />
      <Loaded of={queue}>
        {({ queued, running, oldest_queued_seconds, points }) => (
          <>
            <Facts
              facts={[
                [shared.waiting, number(queued), queued > 0 && say.oldest(duration(oldest_queued_seconds))],
                [say.running, number(running)],
              ]}
            />
            <QueueCharts points={points} />
          </>
        )}
      </Loaded>
    </>
  );
}

function QueueCharts({ points }: { points: readonly Point[] }) {
  const [first, last] = [points[0]?.ts, points.at(-1)?.ts];
  const common = { ends: [clock(first), clock(last)] as const };
  const source = say.source(moment(last));
  const table = tableOf(points);
  const line = (name: string, kind: Series['kind'], of: (point: Point) => number | null): Series => ({
    name,
    kind,
    values: points.map(of),
  });
  return (
    <>
      <Figure title={say.depth} source={source} table={table}>
        <Lines
          {...common}
          label={say.depth}
          format={(value) => number(value)}
          lines={[
            line(shared.waiting, 'first', (point) => point.queued),
            line(say.running, 'second', (point) => point.running),
          ]}
        />
      </Figure>
      <Figure title={say.latency} source={source} table={table}>
        <Lines
          {...common}
          label={say.latency}
          format={seconds}
          lines={[
            line(say.waitMedian, 'first', (point) => point.wait_p50_seconds),
            line(say.waitSlow, 'third', (point) => point.wait_p95_seconds),
            line(say.tookMedian, 'second', (point) => point.duration_p50_seconds),
          ]}
        />
      </Figure>
    </>
  );
}

/** What both charts draw, newest first. */
function tableOf(points: readonly Point[]): TableOfFigure<Point> {
  return {
    rows: points.toReversed(),
    keyOf: ({ ts }) => ts,
    columns: [
      { title: say.time, of: ({ ts }) => moment(ts) },
      { title: shared.waiting, isNumber: true, of: ({ queued }) => number(queued) },
      { title: say.running, isNumber: true, of: ({ running }) => number(running) },
      { title: say.accepted, isNumber: true, of: ({ accepted }) => number(accepted) },
      { title: say.ended, isNumber: true, of: ({ ended }) => number(ended) },
      { title: say.waitMedian, isNumber: true, of: (point) => seconds(point.wait_p50_seconds) },
      { title: say.waitSlow, isNumber: true, of: (point) => seconds(point.wait_p95_seconds) },
      { title: say.tookMedian, isNumber: true, of: (point) => seconds(point.duration_p50_seconds) },
    ],
  };
}
