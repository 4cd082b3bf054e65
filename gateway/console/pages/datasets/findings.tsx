import { BarRows } from '#console/charts/bar-rows.tsx';
import { DataTable } from '#console/parts/data-table.tsx';
import { Figure } from '#console/parts/figure.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { number } from '#console/words/formats.ts';
import { words } from './words.ts';

/** Enough to see what is wrong with a file. */
const ROWS = 200;

/** What the import of a version refused, by reason and row by row. */
export function Findings({ version }: { version: string }) {
  const say = words.value;
  const title = say.findings(version);
  const rejected = useLoading(
    (signal) => client.value.operator.rejectedRows(version, { limit: ROWS, signal }),
    [],
  );
  return (
    <>
      <h2>{title}</h2>
      <Loaded of={rejected}>
        {(rows) => {
          if (rows.length === 0) return <p>{say.noFindings}</p>;
          const byReason = [...Map.groupBy(rows, ({ reason }) => reason)]
            .map(([label, { length }]) => ({ label, value: length, shown: number(length) }))
            .toSorted((a, b) => b.value - a.value);
          return (
            <Figure
              title={say.byReason}
              source={say.first(number(rows.length))}
              table={
                <DataTable
                  caption={title}
                  rows={rows}
                  keyOf={({ file, line }) => `${file}:${line}`}
                  columns={[
                    { title: say.place, of: ({ file, line }) => `${file}:${line}` },
                    { title: say.reason, of: ({ reason }) => reason },
                    { title: say.text, of: ({ text }) => <code>{text}</code> },
                  ]}
                />
              }
            >
              <BarRows
                caption={say.byReason}
                columns={{ name: say.reason, value: say.rows }}
                rows={byReason}
              />
            </Figure>
          );
        }}
      </Loaded>
    </>
  );
}
