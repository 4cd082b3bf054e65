import type { Schemas } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import type { Loading } from '#console/parts/loading.tsx';
import { LoadedTable } from '#console/parts/tables/loaded-table.tsx';
import { day, moment, number } from '#console/words/formats.ts';
import { say } from './words.ts';

type Source = Schemas['FeedSource'];

/** States without a class need no attention. */
const CLASS_OF: Partial<Record<Source['state'], string>> = {
  failing: 'failed',
  paused: 'failed',
  idle: 'succeeded',
};

/** Every source of new days: what it brought, what it waits for and why. Each leads to its part of the log. */
export function FeedSources({ of }: { of: Loading<readonly Source[]> }) {
  return (
    <LoadedTable
      of={of}
      caption={say.sources}
      empty={say.noSources}
      keyOf={({ name }) => name}
      columns={[
        {
          title: say.name,
          of: ({ name, origin }) => (
            <a href={linkTo('datasets', '', { source: name })} title={origin}>
              {name}
            </a>
          ),
        },
        { title: say.format, of: ({ format }) => say.formats[format] },
        { title: say.state, of: (source) => <State of={source} /> },
        { title: say.lastDay, of: ({ last_day }) => day(last_day) },
        { title: say.dueDay, of: ({ due_day }) => (due_day ? day(due_day) : '') },
        { title: say.nextAttempt, of: ({ next_attempt_at }) => moment(next_attempt_at) },
        {
          title: say.requests,
          isNumber: true,
          of: ({ requests_today, requests_per_day }) =>
            say.ofRequests(number(requests_today), number(requests_per_day)),
        },
        { title: say.reason, of: ({ reason }) => reason ?? '' },
      ]}
    />
  );
}

function State({ of: { state, catch_up } }: { of: Source }) {
  return (
    <>
      <span class={CLASS_OF[state]}>{say.states[state]}</span>
      {catch_up && (
        <>
          {' '}
          <small>
            {say.catchUp(
              number(catch_up.days_done),
              number(catch_up.days),
              day(catch_up.from),
              day(catch_up.to),
            )}
          </small>
        </>
      )}
    </>
  );
}
