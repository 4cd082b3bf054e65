import type { Schemas } from '#client/index.ts';
import { IntervalRows } from '#console/charts/bar-rows.tsx';
import { Figure } from '#console/parts/figures/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { Synthetic } from '#console/parts/source.tsx';
import { DataTable, type Column } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { fixed, number, percent } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { OwnWords } from './own-words.tsx';
import { say } from './words.ts';

type Part = Schemas['RecordPart'];

interface OfModel {
  id: string;
  name: string;
  record: Schemas['ModelRecord'];
}

/** The record of every model's picks, in plain words. */
export function RecordPage() {
  const records = useLoading(async (signal) => {
    const { models } = client.value;
    const all = await models.list({ signal });
    return Promise.all(
      all.map(async ({ id, name }) => ({ id, name, record: await models.record(id, { signal }) })),
    );
  });
  return (
    <>
      <h1>{say.title}</h1>
      <p>{say.intro}</p>
      <Loaded of={records}>
        {(all) => (
          <>
            {(['daily', 'own'] as const).map((part) => (
              <Records key={part} title={say[part]} all={all} part={part} />
            ))}
            <OwnWords models={all} />
            <Seal all={all} />
          </>
        )}
      </Loaded>
    </>
  );
}

interface RecordsProps {
  title: string;
  all: readonly OfModel[];
  part: 'daily' | 'own';
}

function Records({ title, all, part }: RecordsProps) {
  const judged = all.filter(({ record }) => record.is_recorded);
  const isSynthetic = judged.some(({ record }) => record.dataset_kind === 'synthetic');
  const hasBegun = judged.some(({ record }) => record[part].filled > 0);
  const waiting = judged.reduce((sum, { record }) => sum + record[part].open, 0);
  const compared = judged.flatMap(({ name, record }) => {
    const { value, low, high } = record[part].lift;
    if (value === null || low === null || high === null) return [];
    return [
      { label: name, value, low, high, shown: `${fixed(value, 2)} (${fixed(low, 2)} – ${fixed(high, 2)})` },
    ];
  });
  return (
    <section class="card">
      <h2>{title}</h2>
      {isSynthetic && (
        <p>
          <Synthetic />
        </p>
      )}
      {hasBegun ? (
        <ul class="sentences">
          {judged.map(({ id, name, record }) => (
            <li key={id}>
              <strong>{name}.</strong> {sentenceOf(record[part])}{' '}
              {record[part].filled > 0 && <strong>{verdictOf(record[part].lift)}</strong>}
            </li>
          ))}
        </ul>
      ) : (
        <p>{waiting === 0 ? say.nothingRecorded : say.nothingJudged(number(waiting))}</p>
      )}
      {!hasBegun ? null : compared.length === 0 ? (
        <>
          <h3>{say.lift}</h3>
          <p>{say.noLift}</p>
        </>
      ) : (
        <Figure
          title={say.lift}
          source={`${isSynthetic ? 'SYNTHETIC · ' : ''}${say.upTo(number(headOf(all)?.seq))}`}
          table={{
            rows: compared,
            keyOf: ({ label }) => label,
            columns: [
              { title: shared.model, of: ({ label }) => label },
              { title: say.lift, isNumber: true, of: ({ value }) => fixed(value, 2) },
              { title: say.low, isNumber: true, of: ({ low }) => fixed(low, 2) },
              { title: say.high, isNumber: true, of: ({ high }) => fixed(high, 2) },
            ],
          }}
        >
          <IntervalRows
            caption={say.lift}
            columns={{ name: shared.model, value: say.lift }}
            rows={compared}
            reference={1}
          />
          <p class="hint">{say.liftNote}</p>
        </Figure>
      )}
      <DataTable
        caption={`${say.table}: ${title}`}
        rows={judged}
        keyOf={({ id }) => id}
        columns={[{ title: shared.model, of: ({ name }) => name }, ...columnsOf(part)]}
      />
    </section>
  );
}

function columnsOf(part: 'daily' | 'own'): Column<OfModel>[] {
  const column = (title: string, shown: (part: Part) => string): Column<OfModel> => ({
    title,
    isNumber: true,
    of: ({ record }) => shown(record[part]),
  });
  return [
    column(shared.runs, ({ runs }) => number(runs)),
    column(shared.picks, ({ n }) => number(n)),
    column(say.open, ({ open }) => number(open)),
    column(shared.won, ({ wins }) => number(wins)),
    column(say.winRate, ({ win_rate_pct }) => fixed(win_rate_pct, 1)),
    column(say.baseRate, ({ base_rate_pct }) => fixed(base_rate_pct, 1)),
    column(say.netReturn, ({ net_return_pct }) => fixed(net_return_pct.value, 2)),
  ];
}

function sentenceOf({ filled, wins, win_rate_pct, base_rate_pct, open }: Part): string {
  if (filled === 0) return open === 0 ? say.noPicks : say.nothingYet(number(open));
  return say.sentence(number(filled), number(wins), percent(win_rate_pct), percent(base_rate_pct));
}

/** Whether picks won more often than other stocks, in a sentence. An interval that contains 1 shows nothing. */
function verdictOf({ value, low, high }: Schemas['RecordEstimate']): string {
  if (value === null || low === null || high === null) return say.tooFew;
  const [times, from, to] = [fixed(value, 2), fixed(low, 2), fixed(high, 2)];
  if (low > 1) return say.better(times, from, to);
  if (high < 1) return say.worse(times, from, to);
  return say.notTold(times, from, to);
}

/** The last entry of the record. All models share one record. */
function headOf(all: readonly OfModel[]) {
  return all.find(({ record }) => record.head)?.record.head;
}

function Seal({ all }: { all: readonly OfModel[] }) {
  const head = headOf(all);
  if (!head) return null;
  return (
    <p class="minor">
      {say.seal} {number(head.seq)}: <code>{head.hash}</code>. {say.sealNote}
    </p>
  );
}
