import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { inLanguages } from '#console/words/in-languages.ts';

const say = inLanguages({
  title: ['Screens', 'Penyaring'],
  intro: [
    'Write rules on fields, see at once which stocks pass, and save them to be told who enters and leaves.',
    'Tulis aturan atas kolom data, lihat langsung saham yang lolos, dan simpan agar tahu saham yang masuk dan keluar.',
  ],
});

/** Screens of one's own: rules on fields that a person writes, runs and saves. The address names the screen that is open. */
export function ScreensPage({ argument }: { argument: string }) {
  // The parser and the evaluation of rules are a tenth of the console, which other pages do without.
  const loading = useLoading(
    (signal) => Promise.all([client.value.screens.fields({ signal }), import('./screens.tsx')]),
    [client.value],
  );
  return (
    <>
      <h1>{say.title}</h1>
      <p class="what-it-is">{say.intro}</p>
      <Loaded of={loading}>{([fields, { Screens }]) => <Screens fields={fields} opened={argument} />}</Loaded>
    </>
  );
}
