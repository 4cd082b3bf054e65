import { day } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';

export interface SourceProps {
  datasetVersion: string | undefined;
  /** The last day of the data behind the numbers. */
  asOf: string | undefined;
  /** Origin of the broker rows behind the numbers, if there are any. */
  brokerData?: string | undefined;
}

/** Labels what is generated, in every language alike, after what stands before it. */
export function Synthetic({ what = '' }: { what?: string }) {
  return (
    <>
      {' '}
      <strong class="synthetic">SYNTHETIC{what && ` ${what}`}</strong>
    </>
  );
}

/** Where numbers come from. Made-up data is labelled SYNTHETIC in every language. */
export function Source({ datasetVersion, asOf, brokerData }: SourceProps) {
  return (
    <p class="source">
      {isSynthetic(datasetVersion) ? (
        <Synthetic />
      ) : (
        brokerData === 'synthetic' && <Synthetic what={shared.brokerRows} />
      )}{' '}
      {asOf && (
        <>
          {shared.asOf} <time dateTime={asOf}>{day(asOf)}</time> ·{' '}
        </>
      )}
      {shared.dataset} <code>{datasetVersion ?? '?'}</code>
    </p>
  );
}

/** The version names of generated markets begin with this prefix. */
function isSynthetic(datasetVersion: string | undefined): boolean {
  return datasetVersion?.startsWith('synthetic-') ?? false;
}
