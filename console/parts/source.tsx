import { day } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';

export interface SourceProps {
  datasetVersion: string | undefined;
  /** The last day of the data behind the numbers. */
  asOf: string | undefined;
  /** Origin of the broker rows behind the numbers, if there are any. */
  brokerData?: string | undefined;
}

/** Where numbers come from. Made-up data is labelled SYNTHETIC in every language. */
export function Source({ datasetVersion, asOf, brokerData }: SourceProps) {
  const words = shared.value;
  return (
    <p class="source">
      {isSynthetic(datasetVersion) ? (
        <strong class="synthetic">SYNTHETIC</strong>
      ) : (
        brokerData === 'synthetic' && <strong class="synthetic">SYNTHETIC {words.brokerRows}</strong>
      )}{' '}
      {asOf && (
        <>
          {words.asOf} <time dateTime={asOf}>{day(asOf)}</time> ·{' '}
        </>
      )}
      {words.dataset} <code>{datasetVersion ?? '?'}</code>
    </p>
  );
}

/** The version names of generated markets begin with this prefix. */
function isSynthetic(datasetVersion: string | undefined): boolean {
  return datasetVersion?.startsWith('synthetic-') ?? false;
}
