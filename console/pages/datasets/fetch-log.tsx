import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { linkTo, place, replaceChoice } from '#console/browser/routing.ts';
import { useRefreshing } from '#console/parts/loading.tsx';
import { Select } from '#console/parts/select.tsx';
import { LoadedTable } from '#console/parts/tables/loaded-table.tsx';
import { client } from '#console/session/session.ts';
import { day, duration, moment, number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { say } from './words.ts';

type Fetch = Schemas['Fetch'];
type Outcome = Fetch['outcome'];

const ROWS = 50;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

interface FetchLogProps {
  /** Names of the declared sources. */
  sources: readonly string[];
  everyMs: number;
}

/** Everything that was fetched, newest first. The filters are choices of the address, so that a part of the log has a link. */
export function FetchLog({ sources, everyMs }: FetchLogProps) {
  const { choices } = place.value;
  const chosen = (name: string) => choices.get(name) ?? '';
  const [source, outcome, subject] = [chosen('source'), chosen('outcome'), chosen('subject')];
  const fetches = useRefreshing(
    (signal) =>
      client.value.operator.fetches({
        limit: ROWS,
        ...(source && { source }),
        ...(outcome && { outcome: outcome as Outcome }),
        ...(subject && { subject }),
        signal,
      }),
    [source, outcome, subject],
    everyMs,
  );
  // Entries of a source that is declared no longer can still be asked for by their address.
  const known = source === '' || sources.includes(source) ? sources : [...sources, source];
  return (
    <>
      <form class="inline" onSubmit={(event) => event.preventDefault()}>
        <Choice name="source" label={shared.source} all={say.everySource} of={known} />
        <Choice
          name="outcome"
          label={shared.outcome}
          all={say.everyOutcome}
          of={Object.keys(say.outcomes)}
          shown={(word) => say.outcomes[word as Outcome]}
        />
        <Subject chosen={subject} />
      </form>
      <LoadedTable
        of={fetches}
        caption={say.log}
        empty={source || outcome || subject ? say.nothingSuch : say.nothingFetched}
        keyOf={({ id }) => String(id)}
        columns={[
          { title: say.fetchedAt, of: ({ started_at }) => moment(started_at) },
          { title: shared.source, of: ({ source }) => source },
          { title: say.asked, of: ({ subject }) => (DAY.test(subject) ? day(subject) : subject) },
          { title: shared.outcome, of: (fetch) => <OutcomeOf fetch={fetch} /> },
          { title: say.took, isNumber: true, of: (fetch) => duration(secondsOf(fetch)) },
          { title: say.bytes, isNumber: true, of: ({ bytes }) => number(bytes) },
          { title: say.rows, isNumber: true, of: ({ rows: count }) => number(count) },
          { title: say.refused, isNumber: true, of: ({ rejected_rows }) => number(rejected_rows) },
          {
            title: shared.version,
            of: ({ dataset_version: version }) =>
              version && (
                <a class="unbroken" href={linkTo('datasets', version)}>
                  {version}
                </a>
              ),
          },
          { title: say.found, of: ({ reason, findings }) => [reason ?? '', ...findings].join(' ') },
        ]}
      />
    </>
  );
}

interface ChoiceProps {
  name: 'source' | 'outcome';
  label: string;
  /** What is shown for no filter. */
  all: string;
  of: readonly string[];
  shown?: (word: string) => string;
}

function Choice({ name, label, all, of, shown = (word) => word }: ChoiceProps) {
  return (
    <>
      <label for={`fetch-${name}`}>{label}</label>
      <Select
        id={`fetch-${name}`}
        value={place.value.choices.get(name) ?? ''}
        options={[['', all], ...of.map((word) => [word, shown(word)] as const)]}
        choose={(word) => replaceChoice(name, word)}
      />
    </>
  );
}

function Subject({ chosen }: { chosen: string }) {
  const input = useRef<HTMLInputElement>(null);
  // Not controlled: a refresh of the page would undo what is being typed.
  useLayoutEffect(() => {
    input.current!.value = chosen;
  }, [chosen]);
  return (
    <>
      <label for="fetch-subject">{say.asked}</label>
      <input
        id="fetch-subject"
        ref={input}
        placeholder="YYYY-MM-DD"
        maxLength={255}
        autocomplete="off"
        spellcheck={false}
        onChange={({ currentTarget }) => replaceChoice('subject', currentTarget.value.trim())}
      />
    </>
  );
}

function OutcomeOf({ fetch: { outcome, problem } }: { fetch: Fetch }) {
  const { outcomes, problems } = say;
  if (outcome === 'published') return <span class="succeeded">{outcomes.published}</span>;
  if (outcome !== 'failed') return <>{outcomes[outcome]}</>;
  return (
    <span class="failed">
      {outcomes.failed}
      {problem && `: ${problems[problem]}`}
    </span>
  );
}

/** null while it runs. */
function secondsOf({ started_at, ended_at }: Fetch): number | null {
  return ended_at === null ? null : (Date.parse(ended_at) - Date.parse(started_at)) / 1_000;
}
