import { useState } from 'preact/hooks';
import type { Job } from '#client/index.ts';
import { DataTable } from '#console/parts/data-table.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { Reasons } from '#console/parts/reasons.tsx';
import { featureNames } from '#console/session/feature-names.ts';
import { client } from '#console/session/session.ts';
import { number } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { inLanguages } from '#console/words/in-languages.ts';

const words = inLanguages({
  en: {
    explain: 'Why is a stock among them, or not?',
    explainButton: 'Explain',
    explainHint: 'Any ticker of the market.',
    lacks: 'What it lacks',
    has: 'It has',
    needs: 'Needed',
  },
  id: {
    explain: 'Mengapa suatu saham termasuk, atau tidak?',
    explainButton: 'Jelaskan',
    explainHint: 'Kode saham apa pun di pasar.',
    lacks: 'Yang kurang',
    has: 'Nilainya',
    needs: 'Diperlukan',
  },
});

interface ExplainPickProps {
  job: Pick<Job, 'job_id'>;
  /** The stock that is explained at first. None if left out. */
  first?: string | undefined;
}

/** Why a stock is among the picks of a run, or at which step it was dropped. */
export function ExplainPick({ job, first = '' }: ExplainPickProps) {
  const say = words.value;
  const [ticker, ask] = useState(first);
  return (
    <section>
      <h3>{say.explain}</h3>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          ask((new FormData(event.currentTarget).get('ticker') as string).trim());
        }}
      >
        <label for="explained">{shared.value.ticker}</label>
        <input
          id="explained"
          name="ticker"
          defaultValue={ticker}
          autocomplete="off"
          spellcheck={false}
          title={say.explainHint}
        />
        <button type="submit">{say.explainButton}</button>
      </form>
      {ticker !== '' && <Explained key={`${job.job_id} ${ticker}`} jobId={job.job_id} ticker={ticker} />}
    </section>
  );
}

function Explained({ jobId, ticker }: { jobId: string; ticker: string }) {
  const say = words.value;
  const explained = useLoading(
    async (signal) => ({
      explanation: await client.value.jobs.explain(jobId, ticker, { signal }),
      featureName: await featureNames(),
    }),
    [client.value],
  );
  return (
    <Loaded of={explained}>
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
          <Reasons of={explanation} featureName={featureName} />
        </>
      )}
    </Loaded>
  );
}
