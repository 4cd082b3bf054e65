import type { Schemas } from '#client/index.ts';
import { described, Field } from '#console/parts/field.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { AMONG, type Among, type Draft } from './draft.ts';
import { words } from './words.ts';

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
  const say = words.value;
  const { among, named } = draft;
  const name = (named: string) => change({ named });
  const sectors = fields.find((field) => field.name === 'sector')?.values ?? [];
  return (
    <>
      <Field id="among" label={say.among}>
        <select
          id="among"
          value={among}
          onChange={({ currentTarget }) => change({ among: currentTarget.value as Among, named: '' })}
        >
          {AMONG.map((kind) => (
            <option key={kind} value={kind}>
              {say.kinds[kind]}
            </option>
          ))}
        </select>
      </Field>
      {among === 'sector' && (
        <Names
          label={say.kinds.sector}
          options={sectors.map((sector) => ({ value: sector, text: sector }))}
          {...{ named, name, mistake }}
        />
      )}
      {among === 'watchlist' && <Watchlists {...{ named, name, mistake }} />}
      {among === 'tickers' && (
        <Field id="named" label={say.kinds.tickers} hint={say.tickersHint} mistake={mistake}>
          <input
            {...described('named', mistake)}
            value={named}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => name(currentTarget.value)}
          />
        </Field>
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
  const say = words.value;
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
          options={watchlists.map(({ watchlist_id, name }) => ({ value: watchlist_id, text: name }))}
        />
      )}
    </Loaded>
  );
}

interface NamesProps extends NamedProps {
  label: string;
  options: readonly { value: string; text: string }[];
}

/** A saved screen may name what is no longer among the options: it stays, until the person chooses another. */
function Names({ label, options, named, name, mistake }: NamesProps) {
  const isKnown = named === '' || options.some(({ value }) => value === named);
  return (
    <Field id="named" label={label} hint={options.length === 0 && words.value.noneToChoose} mistake={mistake}>
      <select
        {...described('named', mistake)}
        value={named}
        onChange={({ currentTarget }) => name(currentTarget.value)}
      >
        <option value="">{words.value.kinds.all}</option>
        {!isKnown && <option value={named}>{named}</option>}
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
