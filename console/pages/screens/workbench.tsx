import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { SaringError, type FieldError, type Schemas } from '#client/index.ts';
import { Failure } from '#console/parts/failure.tsx';
import { described, Field } from '#console/parts/field.tsx';
import { useEvents } from '#console/session/live-events.ts';
import { language } from '#console/words/language.ts';
import { number } from '#console/words/formats.ts';
import { mistakeText } from '#console/words/rule-mistakes.ts';
import { askedBy, passing, type Asked, type Passing } from './asked-stocks.ts';
import { Changes } from './changes.tsx';
import { CsvDownload } from './csv-download.tsx';
import { ruleFieldsOf, useDayMarket } from './day-market.ts';
import { draftOf, EMPTY, type Draft } from './draft.ts';
import { ExplainStock } from './explain-stock.tsx';
import { ExampleRules } from './example-rules.tsx';
import { FieldList } from './field-list.tsx';
import { writtenOf, type Written } from './judge-draft.ts';
import { LiveCount } from './live-count.tsx';
import { Past } from './past.tsx';
import { PassingStocks } from './passing-stocks.tsx';
import { RulesBox, type RulesBoxHandle } from './rules-box.tsx';
import { SaveScreen } from './save-screen.tsx';
import { UniverseChoice } from './universe-choice.tsx';
import { words } from './words.ts';

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
  const say = words.value;
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
  // A key in the box of rules changes neither of these large tables.
  const table = useMemo(
    () =>
      asked &&
      result && (
        <PassingStocks of={result} fields={fields} explain={'screenId' in asked ? explain : undefined} />
      ),
    [asked, result, fields, language.value],
  );
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const mistakes = mistakesOf(failure);
  // What the server refused is no mistake of what was written since.
  const mistake =
    mistakeWhileWriting(written) ?? (draft.rules === ran ? mistakeIn(mistakes, 'rules') : undefined);
  useEffect(() => {
    if (screen) void run(draft, asOf);
  }, []);
  // Before the mistake is painted: whoever reads it and types at once replaces the wrong word.
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
          <Field id="as-of" label={say.asOf} hint={say.asOfHint} mistake={mistakeIn(mistakes, 'as_of')}>
            <input
              {...described('as-of', mistakeIn(mistakes, 'as_of'))}
              type="date"
              value={asOf}
              onInput={({ currentTarget }) => setAsOf(currentTarget.value)}
            />
          </Field>
          <p class="actions">
            <button type="submit" class="primary" disabled={isBusy}>
              {isBusy ? say.running : say.run}
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
        {asked && result && (
          <>
            {table}
            {result.rows.length > 0 && <CsvDownload asked={asked} asOf={result.as_of} />}
          </>
        )}
      </div>
      {screen && <ExplainStock screenId={screen.screen_id} asOf={asOf} ticker={explained} ask={explain} />}
      <SaveScreen {...{ draft, screen, onChanged }} />
      {screen && <Changes screenId={screen.screen_id} />}
      {screen && <Past screenId={screen.screen_id} />}
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
function mistakesOf(failure: unknown): readonly FieldError[] {
  if (!(failure instanceof SaringError)) return [];
  const isShown = ({ loc }: FieldError) => SHOWN.some((member) => member === loc[1]);
  return failure.detail.every(isShown) ? failure.detail : [];
}

function mistakeIn(mistakes: readonly FieldError[], member: (typeof SHOWN)[number]): string | undefined {
  const own = mistakes.filter(({ loc }) => loc[1] === member).map(mistakeText);
  return own.length === 0 ? undefined : own.join(' ');
}

/** In the words of the API, whose parser it is too. */
function mistakeWhileWriting(written: Written): string | undefined {
  if ('rules' in written || written.isUnfinished) return undefined;
  const { message, place, mistake } = written.mistake;
  return mistakeText({ msg: message, ctx: { ...place, mistake: mistake.code, params: mistake.params } });
}
