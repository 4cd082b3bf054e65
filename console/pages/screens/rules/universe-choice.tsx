import type { Schemas } from '#client/index.ts';
import { InputField, SelectField } from '#console/parts/field.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { AMONG, type Draft } from './draft.ts';
import { say } from './words.ts';

/** As many as one page of the API holds. */
const WATCHLISTS = 100;

interface UniverseChoiceProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  fields: readonly Schemas['Field'][];
  mistake: string | undefined;
}

/** The choice of the stocks among which a screen looks. */
export function UniverseChoice({ draft, change, fields, mistake }: UniverseChoiceProps) {
  const { among, named } = draft;
  const name = (named: string) => change({ named });
  const sectors = fields.find((field) => field.name === 'sector')?.values ?? [];
  return (
    <>
      <SelectField
        id="among"
        label={say.among}
        value={among}
        options={AMONG.map((kind) => [kind, say.kinds[kind]])}
        choose={(kind) => change({ among: kind, named: '' })}
      />
      {among === 'sector' && (
        <Names
          label={say.kinds.sector}
          options={sectors.map((sector) => [sector, sector] as const)}
          {...{ named, name, mistake }}
        />
      )}
      {among === 'watchlist' && <Watchlists {...{ named, name, mistake }} />}
      {among === 'tickers' && (
        <InputField
          id="named"
          label={say.kinds.tickers}
          hint={say.tickersHint}
          mistake={mistake}
          value={named}
          onInput={({ currentTarget }) => name(currentTarget.value)}
        />
      )}
    </>
  );
}

interface NamedProps {
  named: string;
  name: (named: string) => void;
  mistake: string | undefined;
}

function Watchlists(props: NamedProps) {
  const lists = useLoading(
    (signal) => client.value.watchlists.list({ limit: WATCHLISTS, signal }).first(),
    [client.value],
  );
  return (
    <Loaded of={lists}>
      {({ watchlists }) => (
        <Names
          {...props}
          label={say.kinds.watchlist}
          options={watchlists.map(({ watchlist_id, name }) => [watchlist_id, name] as const)}
        />
      )}
    </Loaded>
  );
}

interface NamesProps extends NamedProps {
  label: string;
  options: readonly (readonly [value: string, text: string])[];
}

/** A saved screen may name what is no longer among the options: it stays, until the person chooses another. */
function Names({ label, options, named, name, mistake }: NamesProps) {
  const isKnown = named === '' || options.some(([value]) => value === named);
  return (
    <SelectField
      id="named"
      label={label}
      hint={options.length === 0 && say.noneToChoose}
      mistake={mistake}
      value={named}
      options={[['', say.kinds.all], ...(isKnown ? [] : [[named, named] as const]), ...options]}
      choose={name}
    />
  );
}
