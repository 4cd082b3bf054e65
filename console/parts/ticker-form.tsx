import { goTo, linkTo } from '#console/routing.ts';
import { shared } from '#console/words/shared.ts';

/** A form that opens the page of a stock. */
export function TickerForm({ label }: { label: string }) {
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = (new FormData(event.currentTarget).get('ticker') as string).trim().toUpperCase();
        if (wanted !== '') goTo(linkTo('market', wanted));
      }}
    >
      <label for="ticker">{label}</label>
      <input id="ticker" name="ticker" autocomplete="off" spellcheck={false} />
      <button type="submit">{shared.value.show}</button>
    </form>
  );
}
