import { day } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';

export interface SourceProps {
  datasetVersion: string | undefined;
  /** The last day that it rests on. */
  asOf: string | undefined;
  /** Where the broker rows behind it come from, for what rests on them. */
  brokerData?: string | undefined;
}

/** Where numbers come from. Made-up ones are called SYNTHETIC, in every language. */
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

/** Versions of generated markets say so in their name. */
function isSynthetic(datasetVersion: string | undefined): boolean {
  return datasetVersion?.startsWith('synthetic-') ?? false;
}
