import { saveFile } from '#console/browser/save-file.ts';
import { useAttempt } from '#console/parts/attempt.ts';
import { Failure } from '#console/parts/failure.tsx';
import { client } from '#console/session/session.ts';
import type { Asked } from './asked-stocks.ts';
import { say } from './words.ts';

/** Gives the stocks that are shown to the browser as a CSV file, which the API writes. */
export function CsvDownload({ asked, asOf }: { asked: Asked; asOf: string }) {
  const { failure, attempt } = useAttempt();
  const download = async () =>
    // The day is named, so that the file has the stocks of this table also after a new day has arrived.
    saveFile(await passingAsCsv({ ...asked, as_of: asOf }), `screen-${asOf}.csv`, 'text/csv');
  return (
    <>
      <p class="actions">
        <button type="button" onClick={() => void attempt(download)}>
          {say.csv}
        </button>
      </p>
      <Failure of={failure} />
    </>
  );
}

/** The same stocks as a file. */
function passingAsCsv(asked: Asked): Promise<Uint8Array> {
  const { rest } = client.peek();
  const asOf = asked.as_of === undefined ? {} : { as_of: asked.as_of };
  return 'screenId' in asked
    ? rest.postForBytes('/api/v1/screens/{screen_id}/run', {
        path: { screen_id: asked.screenId },
        query: { ...asOf, format: 'csv' },
      })
    : rest.postForBytes('/api/v1/screens/preview', {
        query: { format: 'csv' },
        body: { ...asked.request, ...asOf },
      });
}
