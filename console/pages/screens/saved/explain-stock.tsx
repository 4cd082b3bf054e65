import { useLayoutEffect, useRef } from 'preact/hooks';
import { Facts } from '#console/parts/facts.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { Question } from '#console/parts/question.tsx';
import { Source } from '#console/parts/source.tsx';
import { DataTable } from '#console/parts/tables/data-table.tsx';
import { client } from '#console/session/session.ts';
import { number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { valueText } from '../rules/value-text.ts';
import { say } from './words.ts';

interface ExplainStockProps {
  screenId: string;
  /** Day on which stocks are explained; empty for the newest. */
  asOf: string;
  /** The explained stock; empty for none. */
  ticker: string;
  ask: (ticker: string) => void;
}

/** Which conditions of a saved screen any stock passes and fails, and by how much. */
export function ExplainStock({ screenId, asOf, ticker, ask }: ExplainStockProps) {
  const input = useRef<HTMLInputElement>(null);
  // The question may come from a row far above.
  useLayoutEffect(() => {
    if (ticker !== '') input.current!.focus();
  }, [ticker]);
  return (
    <section>
      <h2>{say.explain}</h2>
      <Question
        key={ticker}
        id="explained"
        label={shared.ticker}
        button={shared.explain}
        inputRef={input}
        defaultValue={ticker}
        enter={(entered) => ask(entered.toUpperCase())}
      />
      {ticker !== '' && <Explained key={`${ticker} ${asOf}`} {...{ screenId, ticker, asOf }} />}
    </section>
  );
}

function Explained({ screenId, ticker, asOf }: Pick<ExplainStockProps, 'screenId' | 'ticker' | 'asOf'>) {
  const explained = useLoading(
    (signal) => client.value.screens.explain(screenId, ticker, { ...(asOf && { as_of: asOf }), signal }),
    [client.value],
  );
  return (
    <Loaded of={explained}>
      {({ is_member, in_universe, place, rules, as_of, dataset_version, ticker }) => (
        <>
          <Facts
            facts={[
              [say.isMember(ticker), valueText(is_member)],
              [say.inUniverse, valueText(in_universe)],
              [say.place, number(place)],
            ]}
          />
          <DataTable
            caption={say.conditionsOf(ticker)}
            rows={rules.map((rule, at) => ({ ...rule, at }))}
            empty={say.noConditions}
            keyOf={({ at }) => String(at)}
            columns={[
              {
                title: say.condition,
                of: ({ rule, depth }) => (
                  <>
                    {'\u2003'.repeat(depth)}
                    <code class="unbroken">{rule}</code>
                  </>
                ),
              },
              {
                title: shared.outcome,
                of: ({ passed }) => (
                  <span class={passed ? 'succeeded' : 'failed'}>{passed ? say.passes : say.fails}</span>
                ),
              },
              { title: shared.value, isNumber: true, of: ({ value }) => valueText(value) },
              { title: say.threshold, isNumber: true, of: ({ threshold }) => valueText(threshold) },
              { title: say.margin, isNumber: true, of: ({ margin }) => number(margin, 4) },
            ]}
          />
          <p class="hint">{say.marginNote}</p>
          <Source datasetVersion={dataset_version} asOf={as_of} />
        </>
      )}
    </Loaded>
  );
}
