import { useLoading } from './loading.tsx';
import { client } from '#console/session/session.ts';
import { shell } from '#console/words/shell.ts';

/** Says on every page that the market, or part of it, is made up. */
export function DatasetNotice() {
  const { value } = useLoading((signal) => client.value.health({ signal }), [client.value]);
  if (!value) return null;
  const { synthetic, synthetic_brokers } = value;
  if (!synthetic && !synthetic_brokers) return null;
  return (
    <p class="made-up">
      <strong class="synthetic">SYNTHETIC</strong>{' '}
      {synthetic ? shell.value.synthetic : shell.value.syntheticBrokers}
    </p>
  );
}
