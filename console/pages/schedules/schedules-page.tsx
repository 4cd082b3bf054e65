import { linkTo } from '#console/browser/routing.ts';
import { useLoading } from '#console/parts/loading.tsx';
import { Synthetic } from '#console/parts/source.tsx';
import { LoadedTable } from '#console/parts/tables/loaded-table.tsx';
import { client } from '#console/session/session.ts';
import { day, moment } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { shared } from '#console/words/shared.ts';

const say = inLanguages({
  title: ['Schedules', 'Jadwal'],
  schedule: ['Schedule', 'Jadwal'],
  calendar: ['On', 'Pada'],
  calendars: {
    daily: ['every trading day', 'setiap hari bursa'],
    weekly: ['first day of a week', 'hari pertama pekan'],
    monthly: ['first day of a month', 'hari pertama bulan'],
  },
  enabled: ['Runs', 'Berjalan'],
  paused: ['Paused', 'Berhenti sementara'],
  heldUp: ['Held up', 'Tertahan'],
  ended: ['Ended', 'Berakhir'],
  firesAfter: ['Next after', 'Berikutnya setelah'],
  heldUpBy: ['What is in its way', 'Yang menghalangi'],
  last: ['Last due on', 'Terakhir jatuh pada'],
  none: [
    'There is no schedule yet. The command line makes one: saring schedules create --help.',
    'Belum ada jadwal. Baris perintah membuatnya: saring schedules create --help.',
  ],
  firings: ['Outcomes', 'Apa hasilnya'],
  firingsOf: (name: string) => [`Outcomes of ${name}`, `Apa hasil ${name}`],
  all: ['Of every schedule', 'Semua jadwal'],
  day: ['Trading day', 'Hari bursa'],
  when: ['Decided', 'Diputuskan'],
  outcomes: {
    accepted: ['Accepted', 'Diterima'],
    refused: ['Refused', 'Ditolak'],
    waiting: ['Waiting', 'Menunggu'],
  },
  noFirings: ['No schedule was due yet.', 'Belum ada jadwal yang jatuh tempo.'],
});

const FIRINGS = 200;

/** Every schedule, and the outcomes of all of them or of the one that the address names. */
export function SchedulesPage({ argument }: { argument: string }) {
  const schedules = useLoading((signal) => client.value.operator.schedules({ signal }));
  const nameOf = (id: string) => schedules.value?.find((schedule) => schedule.id === id)?.name ?? id;
  return (
    <>
      <h1>{say.title}</h1>
      <LoadedTable
        of={schedules}
        caption={say.title}
        empty={say.none}
        keyOf={({ id }) => id}
        selected={argument}
        columns={[
          { title: say.schedule, of: ({ id, name }) => <a href={linkTo('schedules', id)}>{name}</a> },
          {
            title: shared.state,
            of: ({ enabled, held_up_by }) => (
              <span class={enabled && !held_up_by ? 'succeeded' : 'failed'}>
                {held_up_by ? (enabled ? say.heldUp : say.ended) : enabled ? say.enabled : say.paused}
              </span>
            ),
          },
          { title: shared.model, of: ({ model_id }) => model_id },
          { title: say.calendar, of: ({ calendar }) => inWords(say.calendars, calendar) },
          { title: say.last, of: ({ last_trading_day }) => day(last_trading_day) },
          { title: say.firesAfter, of: ({ fires_after }) => day(fires_after) },
          { title: say.heldUpBy, of: ({ held_up_by }) => held_up_by ?? '' },
          {
            title: shared.key,
            of: ({ api_key_id }) => <a href={linkTo('keys', api_key_id)}>{api_key_id}</a>,
          },
          { title: shared.endUser, of: ({ end_user }) => end_user },
        ]}
      />

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

function Firings({ scheduleId, nameOf }: { scheduleId: string; nameOf: (id: string) => string }) {
  const firings = useLoading((signal) =>
    client.value.operator.firings({
      limit: FIRINGS,
      ...(scheduleId && { schedule_id: scheduleId }),
      signal,
    }),
  );
  return (
    <LoadedTable
      of={firings}
      caption={say.firings}
      empty={say.noFirings}
      keyOf={({ schedule_id, market, trading_day }) => `${schedule_id} ${market} ${trading_day}`}
      columns={[
        { title: say.schedule, of: ({ schedule_id }) => nameOf(schedule_id) },
        {
          title: say.day,
          of: ({ trading_day, market }) => (
            <>
              {day(trading_day)}
              {market === 'synthetic' && <Synthetic />}
            </>
          ),
        },
        {
          title: shared.outcome,
          of: ({ outcome }) => (
            <span class={outcome === 'refused' ? 'failed' : ''}>{inWords(say.outcomes, outcome)}</span>
          ),
        },
        { title: say.when, of: ({ ts }) => moment(ts) },
        { title: shared.job, of: ({ job_id }) => <code>{job_id ?? ''}</code> },
        { title: shared.why, of: ({ reason }) => reason ?? '' },
      ]}
    />
  );
}
