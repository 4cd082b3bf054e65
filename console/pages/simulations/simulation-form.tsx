import { useState } from 'preact/hooks';
import type { FieldError, SaringClient } from '#client/index.ts';
import { InputField, SelectField } from '#console/parts/field.tsx';
import { mistakeIn } from '#console/parts/mistakes.ts';
import { rupiah } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';
import { followedIn, spanOf, type Choices } from './followed.ts';
import { say } from './words.ts';

export type Wanted = Parameters<SaringClient['simulations']['submit']>[0];

/** Numbers of a request, in the order of the form, each with what the form proposes. */
const PROPOSED = {
  capital_idr: 100_000_000,
  max_positions: 10,
  max_volume_pct: 5,
  target_gain: 0.08,
  stop_loss: 0.05,
  horizon_days: 20,
};
type NumberName = keyof typeof PROPOSED;
const NAMES = Object.keys(PROPOSED) as NumberName[];

interface SimulationFormProps {
  choices: Choices;
  /** Id of the screen that an address chose. */
  chosen: string | undefined;
  mistakes: readonly FieldError[];
  isBusy: boolean;
  submit: (wanted: Wanted) => Promise<void>;
  /** Undefined while nothing can be cancelled. */
  cancel: (() => void) | undefined;
}

/** What is followed, with how much money, and when. */
export function SimulationForm({ choices, chosen, mistakes, isBusy, submit, cancel }: SimulationFormProps) {
  const first = choices.screens[0]?.screen_id ?? choices.backfills[0]?.backfill_id;
  const [followed, follow] = useState(chosen ?? first);
  const [span, setSpan] = useState(spanOf(choices, followed ?? ''));
  const [rebalance, setRebalance] = useState<'weekly' | 'daily'>('weekly');
  const [entered, setEntered] = useState<Record<NumberName, number>>(PROPOSED);
  if (first === undefined) return <p>{say.nothingToFollow}</p>;
  return (
    <form
      class="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const of = followedIn(choices, followed ?? '') ?? { screen_id: followed ?? '' };
        void submit({ ...of, ...span, rebalance, ...entered });
      }}
    >
      <div class="parameters">
        <SelectField
          id="followed"
          label={say.follow}
          hint={say.followHint}
          mistake={mistakeIn(mistakes, 'screen_id')}
          value={followed}
          choose={(id) => {
            follow(id);
            setSpan(spanOf(choices, id));
          }}
        >
          <Options of={choices} />
        </SelectField>
        {(['from', 'to'] as const).map((name) => (
          <InputField
            key={name}
            id={name}
            label={shared[name]}
            mistake={mistakeIn(mistakes, name)}
            type="date"
            value={span[name]}
            onInput={({ currentTarget }) => setSpan({ ...span, [name]: currentTarget.value })}
          />
        ))}
        <SelectField
          id="rebalance"
          label={say.rebalance}
          hint={say.rebalanceHint}
          value={rebalance}
          options={(['weekly', 'daily'] as const).map((one) => [one, say[one]])}
          choose={setRebalance}
        />
        {NAMES.map((name) => (
          <InputField
            key={name}
            id={name}
            label={say.numbers[name]}
            hint={name === 'capital_idr' ? rupiah(entered.capital_idr) : say.hints[name]}
            mistake={mistakeIn(mistakes, name)}
            type="number"
            step="any"
            value={entered[name]}
            onInput={({ currentTarget }) => setEntered({ ...entered, [name]: currentTarget.valueAsNumber })}
          />
        ))}
      </div>
      <p class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? shared.running : say.simulate}
        </button>
        {cancel && (
          <button type="button" onClick={cancel}>
            {shared.cancel}
          </button>
        )}
      </p>
    </form>
  );
}

function Options({ of: { screens, backfills } }: { of: Choices }) {
  return (
    <>
      {screens.length > 0 && (
        <optgroup label={say.screens}>
          {screens.map(({ screen_id, name }) => (
            <option key={screen_id} value={screen_id}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      {backfills.length > 0 && (
        <optgroup label={say.backfills}>
          {backfills.map(({ backfill_id, model_id, from, to, step }) => (
            <option key={backfill_id} value={backfill_id}>
              {say.backfillOf(model_id, say.steps[step], from, to)}
            </option>
          ))}
        </optgroup>
      )}
    </>
  );
}
