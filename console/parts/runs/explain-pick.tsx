import { useState } from 'preact/hooks';
import type { Job } from '#client/index.ts';
import { number } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';
import { shared } from '#console/words/shared.ts';
import { Loaded } from '../loading.tsx';
import { Question } from '../question.tsx';
import { DataTable } from '../tables/data-table.tsx';
import { Reasons, useExplanation } from './reasons.tsx';

const say = inLanguages({
  explain: ['Why is a stock among them, or not?', 'Mengapa suatu saham termasuk, atau tidak?'],
  explainHint: ['Any ticker of the market.', 'Kode saham apa pun di pasar.'],
  lacks: ['What it lacks', 'Yang kurang'],
  has: ['It has', 'Nilainya'],
  needs: ['Needed', 'Diperlukan'],
});

interface ExplainPickProps {
  job: Pick<Job, 'job_id'>;
  /** The stock that is explained at first. None if left out. */
  first?: string | undefined;
}

/** Why a stock is among the picks of a run, or at which step it was dropped. */
export function ExplainPick({ job, first = '' }: ExplainPickProps) {
  const [ticker, ask] = useState(first);
  return (
    <section>
      <h3>{say.explain}</h3>
      <Question
        id="explained"
        label={shared.ticker}
        button={shared.explain}
        defaultValue={ticker}
        title={say.explainHint}
        enter={ask}
      />
      {ticker !== '' && <Explained key={`${job.job_id} ${ticker}`} jobId={job.job_id} ticker={ticker} />}
    </section>
  );
}

function Explained({ jobId, ticker }: { jobId: string; ticker: string }) {
  return (
    <Loaded of={useExplanation(jobId, ticker)}>
      {({ explanation, featureName }) => (
        <>
          <p>{explanation.message}</p>
          {explanation.shortfalls.length > 0 && (
            <DataTable
              caption={say.lacks}
              showsCaption
              rows={explanation.shortfalls}
              keyOf={({ param }) => param}
              columns={[
                { title: say.lacks, of: ({ param }) => <code>{param}</code> },
                { title: say.has, isNumber: true, of: ({ value }) => number(value, 2) },
                { title: say.needs, isNumber: true, of: ({ threshold }) => number(threshold, 2) },
              ]}
            />
          )}
          <Reasons of={{ explanation, featureName }} />
        </>
      )}
    </Loaded>
  );
}
