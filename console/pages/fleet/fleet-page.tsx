import { Facts } from '#console/parts/facts.tsx';
import { Loaded, useRefreshing } from '#console/parts/loading.tsx';
import { LoadedTable } from '#console/parts/tables/loaded-table.tsx';
import { client } from '#console/session/session.ts';
import { duration, mebibytes, number } from '#console/words/formats.ts';
import { Queue } from './queue.tsx';
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
      <Queue everyMs={REFRESH_MS} />
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
              { name: say.runs, value: runs.can_complete ? say.complete : say.notComplete },
              { name: say.dataset, value: <code>{dataset?.version ?? say.none}</code> },
              {
                name: say.schedules,
                value: schedules === null ? say.unknown : number(schedules.enabled),
                note:
                  schedules !== null && schedules.cannot_fire > 0 && say.cannotFire(schedules.cannot_fire),
              },
            ]}
          />
          <h2>{say.models}</h2>
          <ul class="states">
            {models.map(({ id, can_complete, reason }) => (
              <li key={id}>
                {id} <span class={can_complete ? 'succeeded' : 'failed'}>{reason ?? say.canComplete}</span>
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
          title: say.state,
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
        { title: say.version, of: ({ version }) => version ?? '' },
      ]}
    />
  );
}
