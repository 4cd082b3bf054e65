import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FieldError, Schemas } from '#client/index.ts';
import { Failure } from '#console/parts/failure.tsx';
import { InputField } from '#console/parts/field.tsx';
import { mistakeIn, mistakesOf } from '#console/parts/mistakes.ts';
import { useEvents } from '#console/session/live-events.ts';
import { number } from '#console/words/formats.ts';
import { language } from '#console/words/language.ts';
import { mistakeText } from '#console/words/rule-mistakes.ts';
import { shared } from '#console/words/shared.ts';
import { askedBy, passing, type Asked, type Passing } from './passing/asked-stocks.ts';
import { CsvDownload } from './passing/csv-download.tsx';
import { PassingStocks } from './passing/passing-stocks.tsx';
import { ruleFieldsOf, useDayMarket } from './rules/day-market.ts';
import { draftOf, EMPTY, type Draft } from './rules/draft.ts';
import { FieldList } from './rules/field-list.tsx';
import { writtenOf, type Written } from './rules/judge-draft.ts';
import { LiveCount } from './rules/live-count.tsx';
import { ExampleRules, RulesBox, type RulesBoxHandle } from './rules/rules-box.tsx';
import { UniverseChoice } from './rules/universe-choice.tsx';
import { say } from './rules/words.ts';
import { Changes } from './saved/changes.tsx';
import { ExplainStock } from './saved/explain-stock.tsx';
import { Past } from './saved/past.tsx';
import { SaveScreen } from './saved/save-screen.tsx';

/** Members of a request whose mistakes are shown beside their controls. */
const SHOWN = ['rules', 'universe', 'as_of'] as const;

interface WorkbenchProps {
  fields: readonly Schemas['Field'][];
  /** The screen that is open. It is run at once. */
  screen?: Schemas['Screen'];
  /** Called with the screen that was made or replaced, or with an empty id after one was deleted. */
  onChanged: (screenId: string) => void;
}

/** Rules that are written, run and saved; of a saved screen also its changes and why a stock is in it. */
export function Workbench({ fields, screen, onChanged }: WorkbenchProps) {
  const box = useRef<RulesBoxHandle>(null);
  const [draft, setDraft] = useState(screen ? draftOf(screen) : EMPTY);
  const [asOf, setAsOf] = useState('');
  const [explained, explain] = useState('');
  const [subject, setSubject] = useState<string>();
  const [isWriting, setWriting] = useState(false);
  const ruleFields = useMemo(() => ruleFieldsOf(fields), [fields]);
  const written = useMemo(() => writtenOf(draft.rules, ruleFields), [draft.rules, ruleFields]);
  const list = useMemo(
    () => <FieldList fields={fields} insert={(name) => box.current!.insert(name)} />,
    [fields, language.value],
  );
  const day = useDayMarket(isWriting, asOf, ruleFields);
  const { asked, result, failure, ran, isBusy, run, again } = useRun(screen);
  useEvents(['dataset.published'], () => {
    if (asOf === '') day.reload();
    again();
  });
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const mistakes = shownMistakes(failure);
  // A refusal by the server does not apply to rules that have changed since.
  const mistake =
    mistakeWhileWriting(written) ?? (draft.rules === ran ? mistakeIn(mistakes, 'rules') : undefined);
  useEffect(() => {
    if (screen) void run(draft, asOf);
  }, []);
  // Before the mistake is painted, so that typing right after reading it replaces the wrong word.
  useLayoutEffect(() => {
    const column = mistakes.find(({ loc }) => loc[1] === 'rules')?.ctx?.['column'];
    if (typeof column === 'number') box.current!.select(column);
  }, [failure]);
  return (
    <>
      <div class="two">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run(draft, asOf);
          }}
        >
          <RulesBox
            rules={draft.rules}
            onInput={(rules) => change({ rules })}
            onSubject={setSubject}
            onFocus={() => setWriting(true)}
            mistake={mistake}
            {...{ fields, ruleFields }}
            handle={box}
          />
          {draft.rules === '' && <ExampleRules choose={(rules) => box.current!.replace(rules)} />}
          <LiveCount
            rules={'rules' in written ? written.rules : undefined}
            {...{ draft, day, isMistaken: mistake !== undefined }}
            subject={fields.find(({ name }) => name === subject)}
          />
          <UniverseChoice {...{ draft, change, fields }} mistake={mistakeIn(mistakes, 'universe')} />
          <InputField
            id="as-of"
            label={say.asOf}
            hint={say.asOfHint}
            mistake={mistakeIn(mistakes, 'as_of')}
            type="date"
            value={asOf}
            onInput={({ currentTarget }) => setAsOf(currentTarget.value)}
          />
          <p class="actions">
            <button type="submit" class="primary" disabled={isBusy}>
              {isBusy ? say.running : shared.run}
            </button>
          </p>
        </form>
        <div>{list}</div>
      </div>
      {failure !== undefined && mistakes.length === 0 && <Failure of={failure} />}
      <p class="read-out" role="status">
        {result && say.readOut(number(result.matched), number(result.screened))}
      </p>
      <div id="passing" aria-busy={isBusy}>
        {asked && result && <Passed {...{ asked, result, fields, explain }} />}
      </div>
      {screen && <ExplainStock screenId={screen.screen_id} asOf={asOf} ticker={explained} ask={explain} />}
      <SaveScreen {...{ draft, screen, onChanged }} />
      {screen && (
        <>
          <Changes screenId={screen.screen_id} />
          <Past screenId={screen.screen_id} />
        </>
      )}
    </>
  );
}

interface PassedProps {
  asked: Asked;
  result: Passing;
  fields: readonly Schemas['Field'][];
  explain: (ticker: string) => void;
}

/** The stocks that pass, and their file. */
function Passed({ asked, result, fields, explain }: PassedProps) {
  // Typing in the box of rules does not redraw this large table.
  const table = useMemo(
    () => <PassingStocks of={result} fields={fields} explain={'screenId' in asked ? explain : undefined} />,
    [asked, result, fields, language.value],
  );
  return (
    <>
      {table}
      {result.rows.length > 0 && <CsvDownload asked={asked} asOf={result.as_of} />}
    </>
  );
}

interface Outcome {
  asked?: Asked;
  result?: Passing;
  failure?: unknown;
  /** The rules that failed. */
  ran?: string;
}

/** Asks which stocks pass, and keeps the answer with its question. */
function useRun(screen: Schemas['Screen'] | undefined) {
  const [outcome, setOutcome] = useState<Outcome>({});
  const [isBusy, setBusy] = useState(false);
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []);
  const ask = async (asked: Asked, rules: string) => {
    // Otherwise the answer to an earlier question could come last.
    running.current.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    setBusy(true);
    const outcome = await passing(asked, signal).then(
      (result): Outcome => ({ asked, result }),
      (failure: unknown): Outcome => ({ failure, ran: rules }),
    );
    if (signal.aborted) return;
    setOutcome(outcome);
    setBusy(false);
  };
  const run = (draft: Draft, asOf: string) => ask(askedBy(draft, screen, asOf), draft.rules);
  /** Asks about the newest day again. */
  const again = () => {
    const { asked } = outcome;
    if (asked && asked.as_of === undefined && !isBusy) void ask(asked, '');
  };
  return { ...outcome, isBusy, run, again };
}

/** The refused values, if a control stands for each of them. */
function shownMistakes(failure: unknown): readonly FieldError[] {
  const mistakes = mistakesOf(failure);
  return mistakes.every(({ loc }) => SHOWN.some((member) => member === loc[1])) ? mistakes : [];
}

/** In the words of the API, whose parser it is too. */
function mistakeWhileWriting(written: Written): string | undefined {
  if ('rules' in written || written.isUnfinished) return undefined;
  const { message, place, mistake } = written.mistake;
  return mistakeText({ msg: message, ctx: { ...place, mistake: mistake.code, params: mistake.params } });
}
