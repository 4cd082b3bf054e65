import { DataTable } from '#console/parts/data-table.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { linkTo } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { day, moment } from '#console/words/formats.ts';
import { words } from './words.ts';

const FIRINGS = 200;

/** Every schedule, and the outcomes of all of them or of the one that the address names. */
export function SchedulesPage({ argument }: { argument: string }) {
  const say = words.value;
  const schedules = useLoading((signal) => client.value.operator.schedules({ signal }), []);
  const nameOf = (id: string) => schedules.value?.find((schedule) => schedule.id === id)?.name ?? id;
  return (
    <>
      <h1>{say.title}</h1>
      <Loaded of={schedules}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{say.none}</p>
          ) : (
            <DataTable
              caption={say.title}
              rows={rows}
              keyOf={({ id }) => id}
              selected={argument}
              columns={[
                { title: say.schedule, of: ({ id, name }) => <a href={linkTo('schedules', id)}>{name}</a> },
                {
                  title: say.state,
                  of: ({ enabled, held_up_by }) => (
                    <span class={enabled && !held_up_by ? 'succeeded' : 'failed'}>
                      {held_up_by ? (enabled ? say.heldUp : say.ended) : enabled ? say.enabled : say.paused}
                    </span>
                  ),
                },
                { title: say.model, of: ({ model_id }) => model_id },
                { title: say.calendar, of: ({ calendar }) => inWords(say.calendars, calendar) },
                { title: say.last, of: ({ last_trading_day }) => day(last_trading_day) },
                { title: say.firesAfter, of: ({ fires_after }) => day(fires_after) },
                { title: say.heldUpBy, of: ({ held_up_by }) => held_up_by ?? '' },
                {
                  title: say.key,
                  of: ({ api_key_id }) => <a href={linkTo('keys', api_key_id)}>{api_key_id}</a>,
                },
                { title: say.endUser, of: ({ end_user }) => end_user },
              ]}
            />
          )
        }
      </Loaded>
      <h2>{argument ? say.firingsOf(nameOf(argument)) : say.firings}</h2>
      {argument && (
        <p class="actions">
          <a href={linkTo('schedules')}>{say.all}</a>
        </p>
      )}
      <Firings key={argument} scheduleId={argument} nameOf={nameOf} />
    </>
  );
}

/** The translation of a word of the API. A word without one is shown unchanged. */
function inWords(known: Record<string, string>, word: string): string {
  return known[word] ?? word;
}

interface FiringsProps {
  scheduleId: string;
  nameOf: (id: string) => string;
}

function Firings({ scheduleId, nameOf }: FiringsProps) {
  const say = words.value;
  const firings = useLoading(
    (signal) =>
      client.value.operator.firings({
        limit: FIRINGS,
        ...(scheduleId && { schedule_id: scheduleId }),
        signal,
      }),
    [],
  );
  return (
    <Loaded of={firings}>
      {(rows) =>
        rows.length === 0 ? (
          <p>{say.noFirings}</p>
        ) : (
          <DataTable
            caption={say.firings}
            rows={rows}
            keyOf={({ schedule_id, market, trading_day }) => `${schedule_id} ${market} ${trading_day}`}
            columns={[
              { title: say.schedule, of: ({ schedule_id }) => nameOf(schedule_id) },
              {
                title: say.day,
                of: ({ trading_day, market }) => (
                  <>
                    {day(trading_day)}
                    {market === 'synthetic' && (
                      <>
                        {' '}
                        <strong class="synthetic">SYNTHETIC</strong>
                      </>
                    )}
                  </>
                ),
              },
              {
                title: say.outcome,
                of: ({ outcome }) => (
                  <span class={outcome === 'refused' ? 'failed' : ''}>{inWords(say.outcomes, outcome)}</span>
                ),
              },
              { title: say.when, of: ({ ts }) => moment(ts) },
              { title: say.job, of: ({ job_id }) => <code>{job_id ?? ''}</code> },
              { title: say.reason, of: ({ reason }) => reason ?? '' },
            ]}
          />
        )
      }
    </Loaded>
  );
}
