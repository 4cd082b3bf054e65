import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { words } from './words.ts';

/** Screens of one's own: rules on fields that a person writes, runs and saves. The address names the screen that is open. */
export function ScreensPage({ argument }: { argument: string }) {
  // The parser and the evaluation of rules are a tenth of the console, which other pages do without.
  const loading = useLoading(
    (signal) => Promise.all([client.value.screens.fields({ signal }), import('./screens.tsx')]),
    [client.value],
  );
  return (
    <>
      <h1>{words.value.title}</h1>
      <p class="what-it-is">{words.value.intro}</p>
      <Loaded of={loading}>{([fields, { Screens }]) => <Screens fields={fields} opened={argument} />}</Loaded>
    </>
  );
}
