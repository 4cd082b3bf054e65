import { useState } from 'preact/hooks';
import { Failure } from '#console/parts/failure.tsx';
import { saveFile } from '#console/parts/save-file.ts';
import { passingAsCsv, type Asked } from './asked-stocks.ts';
import { words } from './words.ts';

/** Gives the stocks that are shown to the browser as a CSV file, which the API writes. */
export function CsvDownload({ asked, asOf }: { asked: Asked; asOf: string }) {
  const [failure, setFailure] = useState<unknown>();
  const download = async () => {
    setFailure(undefined);
    try {
      // The day is named, so that the file has the stocks of this table also after a new day has arrived.
      saveFile(await passingAsCsv({ ...asked, as_of: asOf }), `screen-${asOf}.csv`, 'text/csv');
    } catch (problem) {
      setFailure(problem);
    }
  };
  return (
    <>
      <p class="actions">
        <button type="button" onClick={() => void download()}>
          {words.value.csv}
        </button>
      </p>
      {failure !== undefined && <Failure of={failure} />}
    </>
  );
}
